//! Histograms of sizes, in bounded memory.

use std::collections::BTreeMap;

/// Number of significant binary digits of a stored sample.
const DIGITS: u32 = 11;

/// A histogram of samples. Count, sum and maximum are exact, and so are percentiles below 2048;
/// larger percentiles are too small by less than 0.1%. Memory depends on the number of distinct
/// stored values, at most 1024 per power of two, not on the number of samples.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SizeHistogram {
    /// Number of samples by significant digits.
    samples: BTreeMap<u64, u64>,
    /// Number of samples.
    pub count: u64,
    /// Sum of all samples.
    pub sum: u64,
    /// The largest sample.
    pub max: u64,
}

impl SizeHistogram {
    /// Adds a sample.
    pub fn add(&mut self, sample: usize) {
        let sample = sample as u64;
        *self.samples.entry(first_digits(sample)).or_default() += 1;
        self.count += 1;
        self.sum = self.sum.saturating_add(sample);
        self.max = self.max.max(sample);
    }

    /// Adds the samples of `other`.
    pub fn merge(&mut self, other: &Self) {
        for (sample, count) in &other.samples {
            *self.samples.entry(*sample).or_default() += count;
        }
        self.count += other.count;
        self.sum = self.sum.saturating_add(other.sum);
        self.max = self.max.max(other.max);
    }

    /// The median, the lower one of two; `None` without samples.
    pub fn median(&self) -> Option<u64> {
        self.percentile(50)
    }

    /// The 95th percentile: the smallest sample that is not less than 95% of the samples.
    pub fn p95(&self) -> Option<u64> {
        self.percentile(95)
    }

    fn percentile(&self, percent: u64) -> Option<u64> {
        let rank = u128::from(self.count) * u128::from(percent);
        let rank = u64::try_from(rank.div_ceil(100)).unwrap_or(u64::MAX);
        let mut below = 0;
        let found = self.samples.iter().find(|(_, count)| {
            below += **count;
            below >= rank
        });
        let (sample, _) = found?;
        // The maximum is stored exactly.
        Some(if *sample == first_digits(self.max) { self.max } else { *sample })
    }
}

/// Rounds `sample` down to its significant digits.
fn first_digits(sample: u64) -> u64 {
    let lost = (u64::BITS - sample.leading_zeros()).saturating_sub(DIGITS);
    sample >> lost << lost
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sizes(samples: impl IntoIterator<Item = usize>) -> SizeHistogram {
        let mut sizes = SizeHistogram::default();
        samples.into_iter().for_each(|sample| sizes.add(sample));
        sizes
    }

    #[test]
    fn percentiles_are_samples() {
        let check = |samples: &[usize], median, p95| {
            let sizes = sizes(samples.iter().copied());
            assert_eq!((sizes.median(), sizes.p95()), (median, p95), "{samples:?}");
        };
        check(&[], None, None);
        check(&[0], Some(0), Some(0));
        check(&[7, 3], Some(3), Some(7));
        check(&[1, 9, 5], Some(5), Some(9));
        check(&[123_457], Some(123_457), Some(123_457));
        check(&Vec::from_iter(1..=100), Some(50), Some(95));
        check(&Vec::from_iter(1..=1000), Some(500), Some(950));
    }

    #[test]
    fn large_samples_are_accurate_in_little_memory() {
        let many = sizes((0..200_000).map(|sample| sample * 7919 % 100_003 * 50));
        assert!(many.samples.len() < 2048 + 13 * 1024, "{}", many.samples.len());
        for (found, exact) in [(many.median(), 2_500_050.0), (many.p95(), 4_750_100.0)] {
            let error = (exact - found.unwrap() as f64) / exact;
            assert!((-0.0001..0.001).contains(&error), "{found:?} for {exact}");
        }
        assert_eq!((many.count, many.max), (200_000, 5_000_100));
        let huge = sizes([usize::MAX, usize::MAX, 0]);
        assert_eq!((huge.sum, huge.median()), (u64::MAX, Some(u64::MAX)));
    }

    #[test]
    fn merged_histograms_equal_the_whole() {
        let mut merged = sizes([1, 5000]);
        merged.merge(&sizes([2, 5000, 9_999_999]));
        assert_eq!(merged, sizes([5000, 2, 1, 9_999_999, 5000]));
    }
}

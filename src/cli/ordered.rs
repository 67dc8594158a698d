//! Work that is done by several threads, with what comes of it in the order in which it was given.

use std::collections::VecDeque;
use std::io;
use std::sync::mpsc::{Receiver, RecvError, SyncSender, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::thread;

/// For each worker so many jobs may be under way, if they are small: handing over one at a time costs more than small jobs do.
const AHEAD: usize = 16;
/// What makes jobs small: so many bytes together.
const SMALL: u64 = 1 << 20;

/// Does `work` on all that `give` gives, in `workers` threads, and hands what comes of it to `take` in the order in which it was
/// given, on this thread. As many are under way, done or not, as there are workers, and more while all of them weigh little:
/// `weight` says how many bytes a job holds or reads. So memory does not grow with their number.
///
/// # Errors
///
/// The first of `give` or `take`, which ends the work.
pub(super) fn ordered<T: Send, R: Send>(
    workers: usize,
    give: impl FnOnce(&mut dyn FnMut(T) -> io::Result<()>) -> io::Result<()>,
    weight: impl Fn(&T) -> u64,
    work: impl Fn(T) -> R + Sync,
    mut take: impl FnMut(R) -> io::Result<()>,
) -> io::Result<()> {
    if workers < 2 {
        return give(&mut |job| take(work(job)));
    }
    let most = workers * AHEAD;
    let (jobs, queue) = sync_channel::<(T, SyncSender<R>)>(most);
    let (queue, work) = (&Mutex::new(queue), &work);
    // However it ends, its end of the channel is gone then, and so are the workers.
    thread::scope(move |scope| {
        for _ in 0..workers {
            scope.spawn(move || {
                let next = || queue.lock().unwrap_or_else(PoisonError::into_inner).recv();
                while let Ok((job, answer)) = next() {
                    // Nobody waits for it once the work has ended with an error.
                    drop(answer.send(work(job)));
                }
            });
        }
        let mut waiting: VecDeque<(u64, Receiver<R>)> = VecDeque::new();
        let mut take = |result: Result<R, RecvError>| take(result.map_err(io::Error::other)?);
        let (mut taken, mut under_way) = (true, 0);
        let given = give(&mut |job| {
            let more = weight(&job);
            // Once it is full, half is taken: who waits for each is woken for each.
            let mut limit = most;
            while waiting.len() >= workers && (under_way + more > SMALL || waiting.len() >= limit) {
                limit = most / 2;
                let Some((weight, first)) = waiting.pop_front() else { break };
                under_way -= weight;
                let result = take(first.recv());
                taken = result.is_ok();
                result?;
            }
            let (answer, result) = sync_channel(1);
            waiting.push_back((more, result));
            under_way += more;
            jobs.send((job, answer)).map_err(|_| io::Error::other("the workers are gone"))
        });
        drop(jobs);
        // What was given is taken, unless it was the taking that failed.
        if taken {
            waiting.into_iter().try_for_each(|(_, result)| take(result.recv()))?;
        }
        given
    })
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::Duration;

    use super::*;

    #[test]
    fn results_come_in_order_and_few_wait() {
        for workers in [1, 2, 5] {
            let begun = AtomicUsize::new(0);
            let work = |number: u64| {
                begun.fetch_add(1, Ordering::Relaxed);
                thread::sleep(Duration::from_micros(number * 7919 % 1000));
                number
            };
            // Of what is large, as many are under way as there are workers; of what is small, more.
            for (weight, most) in [(SMALL, workers + 1), (1, workers * AHEAD + 1)] {
                let (mut taken, mut ahead) = (Vec::new(), 0);
                begun.store(0, Ordering::Relaxed);
                let take = |number| {
                    ahead = ahead.max(begun.load(Ordering::Relaxed) - taken.len());
                    taken.push(number);
                    Ok(())
                };
                ordered(workers, |give| (0..200).try_for_each(give), |_| weight, work, take).unwrap();
                assert_eq!(taken, (0..200).collect::<Vec<_>>());
                assert!(ahead <= most, "{ahead} of {most}");
                assert!(workers == 1 || weight == SMALL || ahead > workers + 1, "{ahead}");
            }
        }
    }

    #[test]
    fn an_error_ends_the_work() {
        let mut taken = 0;
        let take = |_| {
            taken += 1;
            if taken == 3 { Err(io::Error::other("enough")) } else { Ok(()) }
        };
        let error =
            ordered(4, |give| (0..1000).try_for_each(give), |_| 1, |number: u32| number, take).unwrap_err();
        assert_eq!((error.to_string().as_str(), taken), ("enough", 3));
    }
}

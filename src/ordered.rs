//! Processes jobs on several threads, and returns the results in order.

use std::collections::VecDeque;
use std::sync::mpsc::{Receiver, RecvError, SyncSender, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::{io, thread};

/// Maximum number of small jobs in progress per worker. Passing small jobs one at a time would cost
/// more than the jobs.
const AHEAD: usize = 16;
/// Maximum total size in bytes of small jobs in progress.
const SMALL: u64 = 1 << 20;

/// Calls `work` on each job that `give` produces, on `workers` threads, and passes the results to
/// `take` on this thread, in order.
///
/// As many jobs as workers are in progress or done but not taken; more while their total size is
/// small. `weight` is the size in bytes of a job. Memory usage thus does not depend on the number
/// of jobs.
///
/// # Errors
///
/// The first error of `give` or `take`, which ends the work.
pub fn ordered<T: Send, R: Send>(
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
    // The sender is dropped on every exit, which ends the workers.
    thread::scope(move |scope| {
        for _ in 0..workers {
            scope.spawn(move || {
                let next = || queue.lock().unwrap_or_else(PoisonError::into_inner).recv();
                while let Ok((job, answer)) = next() {
                    // The receiver is gone if an error has ended the work.
                    drop(answer.send(work(job)));
                }
            });
        }
        let mut waiting: VecDeque<(u64, Receiver<R>)> = VecDeque::new();
        let mut take = |result: Result<R, RecvError>| take(result.map_err(io::Error::other)?);
        let (mut taken, mut under_way) = (true, 0);
        let given = give(&mut |job| {
            let more = weight(&job);
            // When the queue is full, half of it is drained, because each wait costs a thread
            // switch.
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
        // All jobs were taken, unless `take` failed.
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
    fn results_are_ordered_and_queues_limited() {
        for workers in [1, 2, 5] {
            let begun = AtomicUsize::new(0);
            let work = |number: u64| {
                begun.fetch_add(1, Ordering::Relaxed);
                thread::sleep(Duration::from_micros(number * 7919 % 1000));
                number
            };
            // As many large jobs as workers are in progress, and more of the small ones.
            for (weight, most) in [(SMALL, workers + 1), (1, workers * AHEAD + 1)] {
                let (mut taken, mut ahead) = (Vec::new(), 0);
                begun.store(0, Ordering::Relaxed);
                let take = |number| {
                    // Small jobs go on while a result is taken, however the threads are scheduled.
                    let is_awaited = number == 0 && workers > 1 && weight != SMALL;
                    let is_behind = || begun.load(Ordering::Relaxed) <= workers + 1;
                    for _ in (0..10_000).take_while(|_| is_awaited && is_behind()) {
                        thread::sleep(Duration::from_millis(1));
                    }
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

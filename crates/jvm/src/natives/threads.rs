//! `Thread` and what parks threads.

use super::NativeRow;
use super::lang::{a0, value};
use crate::domain::Values;
use crate::machine::{Done, Fault, Hook, ThreadState};

pub(super) fn rows<D: Values>() -> Vec<NativeRow<D>> {
    vec![
        ("java/lang/Thread.currentThread()Ljava/lang/Thread;", |m, _| {
            Ok(value::<D>(m.threads[m.current].object))
        }),
        ("java/lang/Thread.start0()V", |m, a| {
            let object = a0::<D>(a);
            let daemon = m.get_bits(object, "daemon") != 0;
            let class = m.class_of(object);
            let known = m.known().thread;
            let Some(run) = known.declared("run", "()V").and_then(|run| class.select(run.selector)) else {
                return Err(Fault::New("java/lang/InternalError", None));
            };
            let thread = m.spawn(object, daemon);
            m.set_bits(object, "threadStatus", 5);
            m.set_bits(object, "eetop", thread as u64 + 1);
            // The new thread's frame is pushed onto stacks of its own.
            let (stack, frames) = (std::mem::take(&mut m.stack), std::mem::take(&mut m.frames));
            let pushed = m.push_call(run, &[a[0]], Hook::Entry);
            let fresh = &mut m.threads[thread];
            (fresh.stack, fresh.frames) =
                (std::mem::replace(&mut m.stack, stack), std::mem::replace(&mut m.frames, frames));
            pushed.map(|()| Done::Void)
        }),
        ("java/lang/Thread.isAlive()Z", |m, a| {
            let object = a0::<D>(a);
            Ok(value::<D>(u32::from(m.thread_of(object).is_some())))
        }),
        ("java/lang/Thread.yield()V", |m, _| {
            if std::mem::take(&mut m.threads[m.current].yielded) {
                return Ok(Done::Void);
            }
            if m.threads.len() == 1 {
                return Ok(Done::Void);
            }
            m.threads[m.current].yielded = true;
            Err(Fault::Block)
        }),
        ("java/lang/Thread.onSpinWait()V", |m, _| {
            if m.threads.len() == 1 || std::mem::take(&mut m.threads[m.current].yielded) {
                return Ok(Done::Void);
            }
            m.threads[m.current].yielded = true;
            Err(Fault::Block)
        }),
        ("java/lang/Thread.sleep(J)V", |m, a| {
            let millis = m.plain(a[0]) as i64;
            if millis < 0 {
                return Err(Fault::New(
                    "java/lang/IllegalArgumentException",
                    Some("timeout value is negative".into()),
                ));
            }
            if m.take_interrupt() {
                m.world.woken = false;
                return Err(Fault::New("java/lang/InterruptedException", Some("sleep interrupted".into())));
            }
            m.sleep(Some(millis as u64 * 1_000_000)).map(|()| Done::Void)
        }),
        ("java/lang/Thread.setPriority0(I)V", |_, _| Ok(Done::Void)),
        ("java/lang/Thread.setNativeName(Ljava/lang/String;)V", |_, _| Ok(Done::Void)),
        ("java/lang/Thread.clearInterruptEvent()V", |m, _| {
            let current = m.current;
            m.threads[current].interrupted = false;
            Ok(Done::Void)
        }),
        ("java/lang/Thread.interrupt0()V", |m, a| {
            if let Some(thread) = m.thread_of(a0::<D>(a)) {
                m.threads[thread].interrupted = true;
                if let ThreadState::Waiting(object, _, count) = m.threads[thread].state {
                    m.threads[thread].state = ThreadState::Notified(object, count);
                }
            }
            Ok(Done::Void)
        }),
        ("java/lang/Thread.holdsLock(Ljava/lang/Object;)Z", |m, a| {
            Ok(value::<D>(u32::from(m.holds(a0::<D>(a)))))
        }),
        ("jdk/internal/misc/Unsafe.park(ZJ)V", |m, a| {
            let current = m.current;
            if std::mem::take(&mut m.threads[current].permit) || m.threads[current].interrupted {
                m.world.woken = false;
                return Ok(Done::Void);
            }
            let time = m.plain(a[2]);
            let absolute = D::bits(a[1]) != 0;
            let nanos = match (absolute, time) {
                (false, 0) => None,
                (false, nanos) => Some(nanos),
                (true, millis) => Some((millis * 1_000_000).saturating_sub(m.world.now)),
            };
            m.sleep(nanos).map(|()| Done::Void)
        }),
        ("jdk/internal/misc/Unsafe.unpark(Ljava/lang/Object;)V", |m, a| {
            if let Some(thread) = m.thread_of(D::bits(a[1]) as u32) {
                m.threads[thread].permit = true;
            }
            Ok(Done::Void)
        }),
    ]
}

internal import Glibc

/// How long this thread has been on a processor, in nanoseconds: what else the machine does meanwhile does not count.
package func processorNanoseconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
}

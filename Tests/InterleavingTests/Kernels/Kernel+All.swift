extension Kernel {
    /// All there are, in the order of the documentation's table.
    static let all: [Kernel] = [
        account, twoStage, lazyInit, wrongLock, stack, lastZero,
        reorder2, reorder4, reorder6, tokenRing, queue, circularBuffer, progression,
        bluetooth, philosophers3, philosophers5, opposite, carter, lostWakeUp, phase, workStealing,
        missedFinish, doubleClose, sendAfterFinish, producerLeak, droppedElement, lockAndChannel,
        lostContinuation, cancelledWaiter, doubleResume, waitGroupAdd, waitGroupUnderflow, staleSelect, lateChild,
        nestedReadLock,
        tokenStampede, staleCache, imageCache, withdrawal, doubleBooking, doubleDismissal, cancelledResult,
        asyncLetOrder, unorderedTasks, mailboxOrder, overtaking, starvedScene, stuckSpinner,
    ]
}

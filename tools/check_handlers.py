"""Checks what the object files call whose functions run in signal handlers and in hooks of compiled code.

There nothing may allocate, lock, log or call the VM. Whatever such a file needs from elsewhere is
listed here; a new name is looked up in signal-safety(7), or in our own declarations, first.

usage: check_handlers.py ARCHIVE...
"""

import re
import subprocess
import sys

_ERRNO = "__errno_location"
ALLOWED = {
    # The handler of the mechanism "immediate". A std::function that is set never throws.
    "stack_sampler.cc.o": {_ERRNO, "syscall", "clock_gettime", "std::__throw_bad_function_call()",
                           "yp::hotspot::StackSampler::of_signals_"},
    # What reads the VM's memory and the thread's stack, without a lock.
    "code_labeller.cc.o": {
        "yp::hotspot::CodeCache::Contains(unsigned long) const",
        "yp::hotspot::CodeCache::Describe(char const*) const",
        "yp::hotspot::FrameReader::Next(yp::hotspot::FrameReader::Position&, "
        "std::span<yp::hotspot::DebugInfo::Scope, 18446744073709551615ul>) const",
        "yp::hotspot::FrameReader::ScopesOf(yp::hotspot::FrameReader::Frame const&, "
        "std::span<yp::hotspot::DebugInfo::Scope, 18446744073709551615ul>) const"},
    "count_next.cc.o": {"ioctl"},
    "method_signal_handler.cc.o": {_ERRNO, "yp::PerfEvents::CountNext(siginfo_t const&)"},
    "tick_signal.cc.o": {_ERRNO, "sem_post"},
    # Hooks of compiled entries: on the thread's own stack, in the middle of Java code.
    "slow_path.cc.o": {_ERRNO},
    # The threads: by EndTick, which is the trigger's.
    "sampler.cc.o": {"clock_gettime",
                     "yp::SampledThreads::ReadClocksOfWindows(unsigned int, yp::Clock&)"},
}
# What the compiler adds to position-independent code.
_OF_THE_COMPILER = {"_GLOBAL_OFFSET_TABLE_", "__tls_get_addr", "__stack_chk_fail"}


def undefined(listing):
    """What `nm` lists as undefined, by the archive's members."""
    members, current = {}, None
    for line in listing.splitlines():
        if match := re.fullmatch(r"(\S+\.o):", line):
            current = members.setdefault(match[1], set())
        elif (match := re.fullmatch(r" +U (.+)", line)) and current is not None:
            current.add(match[1])
    return members


def problems(members, allowed):
    for name, symbols in allowed.items():
        if name not in members:
            yield f"{name} is not in the archive; what took its place is to be checked"
            continue
        for symbol in sorted(members[name] - symbols - _OF_THE_COMPILER):
            yield f"{name} calls {symbol}, which a handler may not do unless the list says why"
        for symbol in sorted(symbols - members[name]):
            yield f"{name} no longer calls {symbol}; take it off the list"


def main():
    listing = subprocess.run(["nm", "-u", "-C", *sys.argv[1:]], check=True, capture_output=True,
                             text=True).stdout
    found = list(problems(undefined(listing), ALLOWED))
    for problem in found:
        print(problem, file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())

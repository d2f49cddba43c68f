"""Runs the private store and ends it when no hub uses it any more, however the hubs have ended.

python -I -S launcher.py FILE PROGRAM ARGUMENT...

Each hub that uses the store holds a shared lock on FILE, which the system lets go of when the hub ends, be it killed.
This process waits for the lock for itself alone; once it has it, the store is asked to end. Should this process be
killed, Linux tells the store to end, too. It stands alone and imports little, so that it is small.
"""

from __future__ import annotations

import fcntl
import os
import signal
import sys
import threading
import time

PATIENCE_S = 20.0
"""Then a store that was asked to end is killed: what it has acknowledged is on disk."""
PR_SET_PDEATHSIG = 1


def main(file: str, command: list[str]) -> int:
    """Run `command` until it ends, or until nobody holds `file`; returns its status, 128 and the signal if killed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    own = os.getpid()
    store = os.fork()
    if not store:
        become(command, own)
    threading.Thread(target=end_when_unused, args=(file, store), daemon=True).start()
    _, status = os.waitpid(store, 0)
    code = os.waitstatus_to_exitcode(status)
    return 128 - code if code < 0 else code


def become(command: list[str], parent: int) -> None:
    """Be the store from now on."""
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
        if os.getppid() != parent:
            os._exit(1)
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        os.execv(command[0], command)
    except OSError as error:
        print(f"{command[0]}: {error.strerror}", file=sys.stderr)
        os._exit(126)


def end_when_unused(file: str, store: int) -> None:
    """Wait for the lock, then end the store. The lock is held until this process ends, and so until the store has."""
    descriptor = os.open(file, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    fcntl.flock(descriptor, fcntl.LOCK_EX)
    os.kill(store, signal.SIGTERM)
    time.sleep(PATIENCE_S)
    os.kill(store, signal.SIGKILL)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))

"""What a results folder was made from. It may only be continued from the same."""

from __future__ import annotations

import hashlib
from dataclasses import asdict, dataclass
from typing import Any, Mapping, Sequence

from eval import audit, report
from eval.built import Built
from eval.jdks import Jdk
from eval.run.plan import Plan


@dataclass(frozen=True)
class Origin:
    plan: Mapping[str, Any]  # Plan.to_json
    plan_digest: str
    build: str  # digest of yp and the agent
    commit: str  # of the sources at the time
    jdks: Mapping[str, str]  # version by major version
    skipped: Sequence[str]  # what the plan names and this machine does not have
    command: str
    date: str
    machine: Mapping[str, str]  # audit.facts

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    def difference(self, before: Origin) -> str | None:
        """Why this does not continue what was begun `before`; None where it does."""
        if self.plan_digest != before.plan_digest:
            return "another plan"
        if self.build != before.build:
            return f"another build of yp or its agent (of commit {before.commit})"
        if self.jdks != before.jdks:
            return f"other JDKs ({', '.join(before.jdks.values())})"
        if self.machine["CPU"] != before.machine["CPU"]:
            return f"another machine ({before.machine['CPU']})"
        return None


def of(plan: Plan, built: Built, jdks: Sequence[Jdk], command: str, date: str) -> Origin:
    majors = [jdk.major for jdk in jdks]
    return Origin(plan.to_json(), plan.digest(), digest(built), report.commit(),
                  {str(jdk.major): jdk.version for jdk in jdks},
                  [f"JDK {major} is not on this machine" for major in plan.jdks
                   if major not in majors],
                  command, date, audit.of_this_machine())


def digest(built: Built) -> str:
    """The bytes of yp and the agent rather than a commit, which says nothing of a changed tree or
    of an experimental build, and changes with every document."""
    sha = hashlib.sha256()
    for path in (built.yp, built.agent):
        sha.update(path.read_bytes())
    return sha.hexdigest()[:16]

# shellcheck shell=bash
# Shared by the scripts of this repository: messages, logged commands with progress, finding a JDK.
# All of it writes to stderr: stdout belongs to the program that is run.

say() { printf 'yp: %s\n' "$*" >&2; }
die() { say "$@"; exit 2; }

# Shows the last of the lines on stdin: rewritten in place on a terminal, else one every 10 seconds.
show_progress() {
  local line shown=$SECONDS columns=${COLUMNS:-80}
  while IFS= read -r line; do
    if [[ -t 2 ]]; then
      printf '\r\033[Kyp: %.*s' "$((columns - 6))" "$line" >&2
    elif ((SECONDS - shown >= 10)); then
      say "$line"
      shown=$SECONDS
    fi
  done
  [[ ! -t 2 ]] || printf '\r\033[K' >&2
}

# quietly_logged LOG COMMAND...: appends the command's output to LOG, shows its progress and
# returns its status.
quietly_logged() {
  local log=$1
  shift
  mkdir -p "$(dirname "$log")"
  printf '$ %s\n' "$*" >>"$log"
  "$@" 2>&1 </dev/null | tee -a "$log" | show_progress
}

# The same; on failure it also prints the end of LOG.
logged() {
  local status=0
  quietly_logged "$@" || status=$?
  if ((status != 0)); then
    tail -n 30 "$1" >&2
    say "failed: ${*:2} (whole log: $1)"
  fi
  return "$status"
}

# Prints the home of a JDK (with javac and jni.h), JAVA_HOME first; fails when there is none.
find_jdk() {
  local home javac
  javac=$(command -v javac || true)
  [[ -z $javac ]] || javac=$(realpath "$javac")
  for home in "${JAVA_HOME:-}" "$javac" /usr/lib/jvm/default-java /usr/lib/jvm/*; do
    home=${home%/bin/javac}
    if [[ -n $home && -x $home/bin/javac && -f $home/include/jni.h ]]; then
      printf '%s\n' "$home"
      return 0
    fi
  done
  return 1
}

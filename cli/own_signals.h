#ifndef YP_CLI_OWN_SIGNALS_H_
#define YP_CLI_OWN_SIGNALS_H_

#include <csignal>

namespace yp {

// From now on this process ignores the signal, and what it would have interrupted fails instead.
// Programs that it starts find the signal as it was before.
void IgnoreSignal(int signal);

// Those that stand at their default for programs that are started.
sigset_t SignalsToRestore();

}  // namespace yp

#endif  // YP_CLI_OWN_SIGNALS_H_

#ifndef YP_HOTSPOT_ARCH_ARCH_H_
#define YP_HOTSPOT_ARCH_ARCH_H_

// What the processor decides, for the one that this is compiled for. Other rooms include this file,
// and none of a processor's own.
#if defined(__x86_64__)
#include "hotspot/arch/x64/address_space.h"
#include "hotspot/arch/x64/barrier_code.h"
#include "hotspot/arch/x64/barrier_hook.h"
#include "hotspot/arch/x64/call_code.h"
#include "hotspot/arch/x64/entry_code.h"
#include "hotspot/arch/x64/frame_layout.h"
#include "hotspot/arch/x64/hook_entry.h"
#include "hotspot/arch/x64/interrupted_registers.h"
#include "hotspot/arch/x64/native_return.h"
#include "hotspot/arch/x64/patch_hook.h"
#include "hotspot/arch/x64/trampoline_memory.h"
#elif defined(__aarch64__)
#include "hotspot/arch/aarch64/address_space.h"
#include "hotspot/arch/aarch64/call_code.h"
#include "hotspot/arch/aarch64/frame_layout.h"
#include "hotspot/arch/aarch64/interrupted_registers.h"
#include "hotspot/arch/aarch64/native_return.h"
#else
#error "hotspot/arch has no folder for this processor"
#endif

#endif  // YP_HOTSPOT_ARCH_ARCH_H_

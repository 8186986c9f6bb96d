# awk -v newest=2.17 -v map=FILE -f stub.awk: from what readelf --dyn-syms --wide says of a library,
# assembly with the same symbols, and in FILE the linker's map with their versions. Each name is
# there once, in its newest version that is not after `newest`.

function order(version,  part) {
  split(version, part, ".")
  return part[1] * 1000000 + part[2] * 1000 + part[3]
}

# Size in $3, type $4, binding $5, section $7, NAME@VERSION or NAME@@VERSION in $8.
$7 ~ /^[0-9]+$/ && $8 ~ /@GLIBC_[0-9.]+$/ {
  at = index($8, "@")
  name = substr($8, 1, at - 1)
  version = $8
  sub(/.*@GLIBC_/, "", version)
  if (order(version) > order(newest)) next
  if (name in version_of && order(version_of[name]) >= order(version)) next
  version_of[name] = version
  type[name] = $4 == "OBJECT" || $4 == "TLS" ? $4 : "FUNC"
  place[name] = type[name] " " $2
  size[name] = $3
  weak[name] = $5 == "WEAK"
}

END {
  section["FUNC"] = ".text"
  section["OBJECT"] = ".bss\n.balign 32"
  section["TLS"] = ".section .tbss,\"awT\",@nobits\n.balign 16"
  symbol_type["FUNC"] = "@function"
  symbol_type["OBJECT"] = "@object"
  symbol_type["TLS"] = "@tls_object"

  # Names of one address stay so: a program that takes a copy of `environ` takes `__environ` along.
  for (name in version_of) {
    at = place[name]
    labels[at] = labels[at] (weak[name] ? ".weak " : ".globl ") name "\n" \
      ".type " name "," symbol_type[type[name]] "\n.size " name "," size[name] "\n" name ":\n"
    if (size[name] + 0 >= room[at] + 0) room[at] = size[name] + 0
    globals[version_of[name]] = globals[version_of[name]] " " name ";"
  }
  for (at in labels) {
    split(at, part, " ")
    print section[part[1]] "\n" labels[at] ".skip " (room[at] > 0 ? room[at] : 1)
  }
  print ".section .note.GNU-stack,\"\",@progbits"

  for (version in globals) {
    if (version != newest) print "GLIBC_" version " { global:" globals[version] " };" >map
  }
  print "GLIBC_" newest " {" (globals[newest] ? " global:" globals[newest] : "") " local: *; };" >map
}

# cmake -DUI=folder -DPAGE=file -P build_page.cmake: makes the page, or an empty file where that
# cannot be: yp then works without its page, and says what is missing.

# Empty, and so old that the next build tries again.
function(without_page why)
  message(WARNING "the page is left out of yp: ${why}")
  file(WRITE ${PAGE} "")
  execute_process(COMMAND touch -d @0 ${PAGE})
endfunction()

find_program(NPM npm)
find_program(NODE node)
if(NOT NPM OR NOT NODE)
  without_page("there is no npm, or no node (Debian: nodejs, npm)")
  return()
endif()

# Dependencies as the lock file has them; again only when that has changed.
file(SHA256 ${UI}/package-lock.json lock)
set(stamp ${UI}/node_modules/.yp-lock)
set(installed "")
if(EXISTS ${stamp})
  file(READ ${stamp} installed)
endif()
if(NOT installed STREQUAL lock)
  execute_process(COMMAND ${NPM} ci --ignore-scripts --no-audit --no-fund --loglevel=error
                  WORKING_DIRECTORY ${UI} RESULT_VARIABLE failed)
  if(failed)
    without_page("npm ci failed in ${UI}")
    return()
  endif()
  file(WRITE ${stamp} ${lock})
endif()
execute_process(COMMAND ${NODE} build.mjs --out ${PAGE} WORKING_DIRECTORY ${UI} RESULT_VARIABLE failed)
if(failed)
  without_page("node build.mjs failed in ${UI}")
endif()

# Puts the page together: index.html with the style sheet, the modules of src/ in one script, and the 3-D view. Run at build
# time: cmake -DSOURCE=page -DWORK=scratch -DPAGE=page.html -P build.cmake
#
# Only the 3-D view needs npm, for three.js and esbuild. Where npm or the network is missing the page is built without it,
# and says so; nothing fails. The other modules need no bundler: each import is one line, each name is given once, so taking
# the lines away and the modules in order is all there is to do.
set(modules decode pose playback contact table plot slider app)

# ---- the view
set(view "")
set(why "")
find_program(NODE NAMES node)
find_program(NPM NAMES npm)
if(STANCE_WITHOUT_VIEW)
  set(why "as asked (STANCE_PAGE_VIEW=OFF)")
elseif(NOT NODE OR NOT NPM)
  set(why "node or npm is not installed")
else()
  file(COPY "${SOURCE}/package.json" "${SOURCE}/package-lock.json" "${SOURCE}/src" DESTINATION "${WORK}")
  execute_process(COMMAND "${NPM}" ci --include=dev --ignore-scripts --no-audit --no-fund --fetch-retries=1 --fetch-timeout=30000
    WORKING_DIRECTORY "${WORK}" TIMEOUT 300 RESULT_VARIABLE status
    OUTPUT_FILE "${WORK}/npm.log" ERROR_FILE "${WORK}/npm.log")
  if(status EQUAL 0)
    execute_process(COMMAND "${NPM}" run --silent view -- "--outfile=${WORK}/view.min.js" "--log-level=error"
      WORKING_DIRECTORY "${WORK}" TIMEOUT 120 RESULT_VARIABLE status
      OUTPUT_FILE "${WORK}/esbuild.log" ERROR_FILE "${WORK}/esbuild.log")
    if(status EQUAL 0)
      file(READ "${WORK}/view.min.js" view)
    else()
      set(why "esbuild failed (${WORK}/esbuild.log)")
    endif()
  else()
    set(why "npm could not fetch three.js and esbuild (${WORK}/npm.log)")
  endif()
endif()

# ---- the rest
set(script "'use strict';\n(() => {\n")
foreach(module IN LISTS modules)
  file(READ "${SOURCE}/src/${module}.js" text)
  string(REGEX REPLACE "(^|\n)import [^\n]*" "\\1" text "${text}")
  string(REGEX REPLACE "(^|\n)export " "\\1" text "${text}")
  string(APPEND script "${text}\n")
endforeach()
string(APPEND script "start();\n})();")
file(READ "${SOURCE}/index.html" page)
file(READ "${SOURCE}/style.css" style)
# a script must not end before its end
string(REPLACE "</script" "<\\/script" view "${view}")
string(REPLACE "/* @style */" "${style}" page "${page}")
if(view)
  string(REPLACE "<!-- @view -->" "<script data-part=\"view\">${view}</script>" page "${page}")
else()
  string(REPLACE "<!-- @view -->" "" page "${page}")
  message("stance_report: the replay page is built without its 3-D view: ${why}. Once that is put right, remove ${PAGE} "
    "and build again.")
endif()
string(REPLACE "/* @page */" "${script}" page "${page}")
file(WRITE "${PAGE}" "${page}")

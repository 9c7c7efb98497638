# Installs the build into a folder of its own, then configures, builds and runs the foreign project against it:
# cmake -D BUILD=… -D SOURCE=… -D WORK=… -D CONFIG=… -D COMPILER=… -D FLAGS=… -D LINK_FLAGS=… -P run.cmake
function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE failed)
  if(failed)
    list(JOIN ARGN " " command)
    message(FATAL_ERROR "failed: ${command}")
  endif()
endfunction()

file(REMOVE_RECURSE ${WORK})
# a colcon build installs elsewhere by default, and its environment knows that place: neither may be found here
unset(ENV{CMAKE_PREFIX_PATH})
unset(ENV{DESTDIR})
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${WORK}/prefix --config "${CONFIG}")
run(${CMAKE_COMMAND} -S ${SOURCE} -B ${WORK}/build -DCMAKE_PREFIX_PATH=${WORK}/prefix
  -DCMAKE_BUILD_TYPE=${CONFIG} -DCMAKE_CXX_COMPILER=${COMPILER} -DCMAKE_CXX_FLAGS=${FLAGS}
  -DCMAKE_EXE_LINKER_FLAGS=${LINK_FLAGS} -DCMAKE_FIND_USE_PACKAGE_REGISTRY=OFF)
file(STRINGS ${WORK}/build/CMakeCache.txt found REGEX "^stance_core_DIR:")
string(FIND "${found}" "${WORK}/prefix" at)  # no regular expression: the path may hold clang++
if(at EQUAL -1)
  message(FATAL_ERROR "the foreign project found another stance_core: ${found}")
endif()
run(${CMAKE_COMMAND} --build ${WORK}/build --config "${CONFIG}")
run(${WORK}/build/foreign)

# SPDX-License-Identifier: Apache-2.0
#
# The Java agent, lib/libgoldilocks_java.so: java/*.c with core and report, and the classes of java/runtime/, compiled by
# javac 17 and embedded; and lib/goldilocks-java.jar, the exception by itself.  They are built when a JDK of 17 or later is
# found (JAVA_HOME, or javac on the PATH).

find_program(GL_JAVAC javac HINTS $ENV{JAVA_HOME}/bin)
if(GL_JAVAC)
    execute_process(COMMAND ${GL_JAVAC} -version OUTPUT_VARIABLE javac_version ERROR_VARIABLE javac_version)
    string(REGEX MATCH "javac ([0-9]+)" matched "${javac_version}")
    set(javac_feature ${CMAKE_MATCH_1})
    get_filename_component(javac_real ${GL_JAVAC} REALPATH)
    get_filename_component(jdk_home ${javac_real}/../.. ABSOLUTE)
endif()
if(NOT GL_JAVAC OR NOT javac_feature OR javac_feature LESS 17 OR NOT EXISTS ${jdk_home}/include/jvmti.h)
    message(STATUS "No JDK 17 or later with its headers: the Java agent is not built (package openjdk-17-jdk-headless)")
    return()
endif()
set(GL_JDK_HOME ${jdk_home} CACHE INTERNAL "The JDK that the agent is built with")

gl_sources(java gl_java_sources)
file(GLOB_RECURSE gl_java_runtime CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/java/runtime/*.java)

# The recorder writes traces; nothing in here reads one.
foreach(file names text checksum record writer std_writer binary_writer binary_pack binary_shape)
    list(APPEND gl_java_sources ${PROJECT_SOURCE_DIR}/trace/${file}.c)
endforeach()

set(java_folder ${CMAKE_BINARY_DIR}/java)
add_custom_command(OUTPUT ${java_folder}/embedded_classes.c
    COMMAND sh ${PROJECT_SOURCE_DIR}/cmake/embed_classes ${GL_JAVAC} ${jdk_home}/bin/jar ${java_folder} ${gl_java_runtime}
    DEPENDS ${gl_java_runtime} cmake/embed_classes
    COMMENT "Compiling the agent's Java classes" VERBATIM)

add_library(libgoldilocks_java SHARED ${gl_java_sources} ${java_folder}/embedded_classes.c
    $<TARGET_OBJECTS:gl_detector_objects>)
set_source_files_properties(${java_folder}/embedded_classes.c PROPERTIES OBJECT_DEPENDS ${java_folder}/embedded_classes.c)
target_link_libraries(libgoldilocks_java PRIVATE gl_common gl_platform ${GL_LIBZSTD} Threads::Threads ${CMAKE_DL_LIBS})
target_include_directories(libgoldilocks_java SYSTEM PRIVATE ${gl_zstd_include} ${jdk_home}/include ${jdk_home}/include/linux)
set_target_properties(libgoldilocks_java PROPERTIES OUTPUT_NAME goldilocks_java)
target_link_options(libgoldilocks_java PRIVATE -Wl,-z,defs -Wl,--build-id=sha1
    -Wl,--version-script=${PROJECT_SOURCE_DIR}/java/exports.map)
install(TARGETS libgoldilocks_java DESTINATION lib/goldilocks)

# For the compiler of programs that catch the exception by its type, and for running them without the agent.
set(java_api ${CMAKE_BINARY_DIR}/lib/goldilocks-java.jar)
file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/lib)
add_custom_command(OUTPUT ${java_api}
    COMMAND ${jdk_home}/bin/jar --create --file ${java_api}
        -C ${java_folder}/classes goldilocks/DataRaceException.class -C ${java_folder}/classes goldilocks/DataRaceException$Access.class
    DEPENDS ${java_folder}/embedded_classes.c
    COMMENT "Making the jar of the agent's exception" VERBATIM)
add_custom_target(java_api ALL DEPENDS ${java_api})
add_dependencies(java_api libgoldilocks_java) # which makes the classes
install(FILES ${java_api} DESTINATION lib/goldilocks)

/* SPDX-License-Identifier: Apache-2.0
 *
 * The class policy: the papers check application classes and trust the library, whose synchronization counts.
 */
#include "java/policy.h"

#include <string.h>

static bool starts_with(const char *s, const char *prefix)
{
    return strncmp(s, prefix, strlen(prefix)) == 0;
}

/* One glob, which ends at ':' or NUL.  Backtracks to the last '*' only: linear in the product of the lengths. */
static bool matches_one(const char *name, const char *glob)
{
    const char *star = NULL, *retry = NULL;
    while (*name) {
        if (*glob == '*') {
            star = ++glob;
            retry = name;
        } else if (*glob && *glob != ':' && (*glob == '?' || *glob == *name || (*glob == '.' && *name == '/'))) {
            glob++;
            name++;
        } else if (star) {
            glob = star;
            name = ++retry;
        } else {
            return false;
        }
    }
    while (*glob == '*') glob++;
    return *glob == 0 || *glob == ':';
}

bool gl_j_matches(const char *name, const char *globs)
{
    while (globs && *globs) {
        if (*globs != ':' && matches_one(name, globs)) return true;
        globs = strchr(globs, ':');
        if (globs) globs++;
    }
    return false;
}

/* Classes of packages that are never looked into. By the first one reflection leaves members out; libraries order memory by the second; a
 * SwingWorker publishes by the third; by the fourth the threads that RMI makes find what was exported. */
static bool all_the_same(const char *name)
{
    static const char *const whole[] = {"jdk/internal/reflect/Reflection", "sun/misc/Unsafe", "sun/swing/AccumulativeRunnable",
                                        "sun/rmi/transport/ObjectTable"};
    for (size_t i = 0; i < sizeof whole / sizeof whole[0]; i++)
        if (strcmp(name, whole[i]) == 0) return true;
    return false;
}

/* Packages whose classes the JVM or its libraries make or rely on in ways of their own. */
static bool never(const char *name)
{
    static const char *const prefix[] = {"goldilocks/", "jdk/internal/reflect/", "sun/", "com/sun/proxy/", "jdk/proxy"};
    for (size_t i = 0; i < sizeof prefix / sizeof prefix[0]; i++)
        if (starts_with(name, prefix[i])) return !all_the_same(name);
    return false;
}

/* In which classes of the JDK do threads meet?  Those that order memory by monitors, volatile fields, VarHandles or Unsafe for
 * programs that share their objects; and those whose clone() copies objects of the application.  Archives are read at class load:
 * order that comes of it is nobody's wish. */
static bool synchronizes(const char *name)
{
    static const char *const prefix[] = {"java/util/", "java/lang/invoke/VarHandle", "java/io/", "java/text/", "java/lang/ref/",
                                         "java/nio/channels/", "jdk/internal/ref/", "jdk/internal/lang/stable/", "java/awt/EventQueue",
                                         "java/beans/PropertyChangeSupport", "java/beans/VetoableChangeSupport", "java/beans/ChangeListenerMap",
                                         "java/net/ServerSocket", "java/net/Socket", "java/net/DatagramSocket", "java/net/Authenticator",
                                         "java/net/CookieHandler", "java/net/ProxySelector", "java/net/ResponseCache",
                                         "java/beans/beancontext/", "java/awt/datatransfer/", "java/security/SecureRandom", "javax/swing/text/AbstractDocument",
                                         "javax/swing/undo/", "javax/swing/event/EventListenerList", "javax/imageio/spi/", "javax/net/"};
    static const char *const not[] = {"java/util/zip/", "java/util/jar/", "java/util/regex/", "java/lang/ref/Reference"};
    static const char *const whole[] = {"java/lang/Object", "java/lang/Thread", "java/lang/VirtualThread", "java/lang/ClassLoader",
                                        "java/lang/StringBuffer", "java/lang/Throwable", "jdk/internal/misc/ThreadFlock",
                                        "java/lang/InterruptedException", "java/lang/ApplicationShutdownHooks",
                                        "java/lang/invoke/CallSite", "java/lang/invoke/ConstantBootstraps",
                                        "java/lang/Shutdown", "java/lang/ref/ReferenceQueue", "java/lang/ClassValue",
                                        "java/lang/ClassValue$Entry", "java/awt/event/InvocationEvent",
                                        "java/nio/charset/Charset", "java/nio/file/spi/FileSystemProvider", "java/awt/Component", "javax/swing/JComponent",
                                        "java/rmi/server/RMISocketFactory", "javax/naming/spi/NamingManager", "java/net/URL", "java/net/InetAddress",
                                        "jdk/internal/misc/ScopedMemoryAccess"};
    for (size_t i = 0; i < sizeof whole / sizeof whole[0]; i++)
        if (strcmp(name, whole[i]) == 0) return true;
    if (all_the_same(name)) return true;
    for (size_t i = 0; i < sizeof not/ sizeof not[0]; i++)
        if (starts_with(name, not[i])) return false;
    for (size_t i = 0; i < sizeof prefix / sizeof prefix[0]; i++)
        if (starts_with(name, prefix[i])) return true;
    return false;
}

bool gl_j_of_jdk_by_name(const char *name)
{
    static const char *const prefix[] = {"java/", "javax/", "jdk/", "sun/", "com/sun/", "org/ietf/jgss/", "org/w3c/dom/", "org/xml/sax/", "netscape/javascript/"};
    for (size_t i = 0; i < sizeof prefix / sizeof prefix[0]; i++)
        if (starts_with(name, prefix[i])) return true;
    return false;
}

enum gl_j_class gl_j_class_of(const struct gl_j_options *o, const char *name, bool of_jdk)
{
    if (never(name) || gl_j_matches(name, o->exclude)) return GL_J_NONE;
    if (of_jdk) return synchronizes(name) ? GL_J_SYNC : GL_J_NONE;
    /* A class that is not included still synchronizes: its order counts, its data does not. */
    if (o->include[0] && !gl_j_matches(name, o->include)) return GL_J_SYNC;
    return GL_J_CHECKED;
}

/* At run time the field is resolved anyhow, so a yes for an unchecked class costs time and nothing else.  The fields of one that is excluded may be those
 * of a superclass that is not. */
bool gl_j_owner_checked(const char *name, bool of_jdk)
{
    return !never(name) && !of_jdk;
}

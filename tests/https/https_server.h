/* Starts tests/https/https_server.py for a test: a real https server on loopback
 * with a certificate authority of its own.  Nothing leaves the machine. */
#ifndef TESTS_HTTPS_HTTPS_SERVER_H
#define TESTS_HTTPS_HTTPS_SERVER_H

#include <ftw.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

struct https_server {
    pid_t pid;
    int port;
    char folder[48], ca_file[64], log[64], down[64];
};

/* False where there is no openssl or no python3: the test is skipped. */
static inline bool https_server_start(struct https_server *server)
{
    int out[2];
    *server = (struct https_server){.folder = "/tmp/perfetty-https-XXXXXX"};
    if (!mkdtemp(server->folder) || pipe(out) != 0) return false;
    snprintf(server->ca_file, sizeof server->ca_file, "%s/ca.pem", server->folder);
    snprintf(server->log, sizeof server->log, "%s/log", server->folder);
    snprintf(server->down, sizeof server->down, "%s/down", server->folder);
    server->pid = fork();
    if (server->pid == 0) {
        dup2(out[1], 1);
        close(out[0]);
        close(out[1]);
        execlp("python3", "python3", SOURCE_DIR "/tests/https/https_server.py", server->folder,
               (char *)NULL);
        _exit(77);
    }
    close(out[1]);
    FILE *pipe_out = fdopen(out[0], "r");
    char line[32];
    if (fgets(line, sizeof line, pipe_out)) server->port = (int)strtol(line, NULL, 10);
    fclose(pipe_out);
    if (server->port <= 0)
        fprintf(stderr, "skipped: no https server without python3 and openssl\n");
    return server->port > 0;
}

static inline int https_server_remove_one(const char *path, const struct stat *info, int type,
                                          struct FTW *where)
{
    (void)info, (void)type, (void)where;
    return remove(path);
}

static inline void https_server_stop(struct https_server *server)
{
    if (server->pid > 0) {
        kill(server->pid, SIGTERM);
        waitpid(server->pid, NULL, 0);
    }
    nftw(server->folder, https_server_remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

/* While it is down, connections are closed without an answer. */
static inline void https_server_set_down(const struct https_server *server, bool down)
{
    FILE *file = down ? fopen(server->down, "w") : NULL;
    if (file) fclose(file);
    if (!down) unlink(server->down);
}

/* Requests whose line in the log holds `text`. */
static inline int https_server_count(const struct https_server *server, const char *text)
{
    FILE *file = fopen(server->log, "r");
    char line[512];
    int n = 0;
    while (file && fgets(line, sizeof line, file))
        if (strstr(line, text)) n++;
    if (file) fclose(file);
    return n;
}

#endif

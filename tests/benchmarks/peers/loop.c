/* The limit of any reader: split each line, parse the score, look up the pair. cc -O3 loop.c -o loop
   ./loop QRELS_COUNT QRELS... RUN... prints how many results are judged. Trusts its input. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CELLS (1 << 20)
static uint64_t keys[CELLS];

static char *contents(const char *path) {
    FILE *file = fopen(path, "rb");
    fseek(file, 0, SEEK_END);
    long size = ftell(file);
    rewind(file);
    char *text = malloc(size + 1);
    text[fread(text, 1, size, file)] = 0;
    fclose(file);
    return text;
}

static uint64_t hash(uint64_t h, const char *from, const char *to) {
    while (from < to) h = (h ^ (unsigned char)*from++) * 0x100000001b3ULL;
    return h;
}

static uint64_t *cell(uint64_t key) {
    uint64_t at = key >> 44;
    while (keys[at] && keys[at] != key) at = (at + 1) % CELLS;
    return &keys[at];
}

static long read_lines(char *text, int is_run, double *sum) {
    long found = 0;
    for (char *at = text; *at; at = strchr(at, 10) + 1) {
        char *topic_end = strchr(at, ' '), *docno = strchr(topic_end + 1, ' ') + 1, *end = strchr(docno, ' ');
        uint64_t key = hash(hash(0xcbf29ce484222325ULL, at, topic_end), docno, end);
        uint64_t *place = cell(key);
        if (is_run) *sum += strtod(strchr(end + 1, ' ') + 1, NULL), found += *place == key;
        else *place = key;
        at = end;
    }
    free(text);
    return found;
}

int main(int count, char **words) {
    long sets = atol(words[1]), found = 0;
    double sum = 0;
    for (int i = 2; i < count; i++) found += read_lines(contents(words[i]), i >= 2 + sets, &sum);
    printf("%ld %g\n", found, sum);
    return 0;
}

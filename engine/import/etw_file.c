/* Operations on files that Windows tells of (the FileIo classes of ETW): a slice on
 * lanes of the thread, from the operation to its OperationEnd, which name the same
 * I/O request packet.  One half without the other is a slice of no length that
 * says which half is missing. */
#include "engine/import/etw.h"

#include "engine/base/map.h"
#include "engine/base/strpool.h"
#include "engine/import/process.h"

enum file_event {
    FILE_CREATE = 7,
    FILE_DIRECTORY = 8,
    FILE_INFO = 9,
    FILE_READ_WRITE = 10,
    FILE_SIMPLE = 11,
    FILE_END = 12,
    FILE_PATH = 13,
};

enum file_opcode { OPCODE_FIRST = 64, OPCODE_CREATE = 64, OPCODE_END = 76 };

static const char *const opcodes[] = {"CreateFile",
                                      "Cleanup",
                                      "Close",
                                      "ReadFile",
                                      "WriteFile",
                                      "SetInformation",
                                      "DeleteFile",
                                      "RenameFile",
                                      "DirectoryEnumeration",
                                      "Flush",
                                      "QueryFileInformation",
                                      "FilesystemControlEvent",
                                      "EndOperation",
                                      "DirectoryNotification"};
#define N_OPCODES (sizeof opcodes / sizeof opcodes[0])

/* FILE_INFORMATION_CLASS, from 1. */
static const char *const info_classes[] = {"FileDirectoryInformation",
                                           "FileFullDirectoryInformation",
                                           "FileBothDirectoryInformation",
                                           "FileBasicInformation",
                                           "FileStandardInformation",
                                           "FileInternalInformation",
                                           "FileEaInformation",
                                           "FileAccessInformation",
                                           "FileNameInformation",
                                           "FileRenameInformation",
                                           "FileLinkInformation",
                                           "FileNamesInformation",
                                           "FileDispositionInformation",
                                           "FilePositionInformation",
                                           "FileFullEaInformation",
                                           "FileModeInformation",
                                           "FileAlignmentInformation",
                                           "FileAllInformation",
                                           "FileAllocationInformation",
                                           "FileEndOfFileInformation",
                                           "FileAlternateNameInformation",
                                           "FileStreamInformation",
                                           "FilePipeInformation",
                                           "FilePipeLocalInformation",
                                           "FilePipeRemoteInformation",
                                           "FileMailslotQueryInformation",
                                           "FileMailslotSetInformation",
                                           "FileCompressionInformation",
                                           "FileObjectIdInformation",
                                           "FileCompletionInformation",
                                           "FileMoveClusterInformation",
                                           "FileQuotaInformation",
                                           "FileReparsePointInformation",
                                           "FileNetworkOpenInformation",
                                           "FileAttributeTagInformation",
                                           "FileTrackingInformation",
                                           "FileIdBothDirectoryInformation",
                                           "FileIdFullDirectoryInformation",
                                           "FileValidDataLengthInformation",
                                           "FileShortNameInformation",
                                           "FileIoCompletionNotificationInformation",
                                           "FileIoStatusBlockRangeInformation",
                                           "FileIoPriorityHintInformation",
                                           "FileSfioReserveInformation",
                                           "FileSfioVolumeInformation",
                                           "FileHardLinkInformation",
                                           "FileProcessIdsUsingFileInformation",
                                           "FileNormalizedNameInformation",
                                           "FileNetworkPhysicalNameInformation",
                                           "FileIdGlobalTxDirectoryInformation",
                                           "FileIsRemoteDeviceInformation",
                                           "FileUnusedInformation",
                                           "FileNumaNodeInformation",
                                           "FileStandardLinkInformation",
                                           "FileRemoteProtocolInformation",
                                           "FileRenameInformationBypassAccessCheck",
                                           "FileLinkInformationBypassAccessCheck",
                                           "FileVolumeNameInformation",
                                           "FileIdInformation",
                                           "FileIdExtdDirectoryInformation",
                                           "FileReplaceCompletionInformation",
                                           "FileHardLinkFullIdInformation",
                                           "FileIdExtdBothDirectoryInformation",
                                           "FileDispositionInformationEx",
                                           "FileRenameInformationEx",
                                           "FileRenameInformationExBypassAccessCheck",
                                           "FileDesiredStorageClassInformation",
                                           "FileStatInformation",
                                           "FileMemoryPartitionInformation",
                                           "FileStatLxInformation",
                                           "FileCaseSensitiveInformation",
                                           "FileLinkInformationEx",
                                           "FileLinkInformationExBypassAccessCheck",
                                           "FileStorageReserveIdInformation",
                                           "FileCaseSensitiveInformationForceAccessCheck",
                                           "FileKnownFolderInformation",
                                           "FileStatBasicInformation",
                                           "FileId64ExtdDirectoryInformation",
                                           "FileId64ExtdBothDirectoryInformation",
                                           "FileIdAllExtdDirectoryInformation",
                                           "FileIdAllExtdBothDirectoryInformation"};
enum { CLASS_DISPOSITION = 13, CLASS_ALLOCATION = 19, CLASS_END_OF_FILE = 20 };

/* How a field is shown: "p" pointer, "u" number, "s" text, "c" class of information,
 * "x" extra information (whose name depends on the class). */
struct field_shape {
    uint32_t field;
    char as;
    const char *key;
};

struct event_shape {
    uint32_t irp, opcode, info_class; /* fields; 0: none */
    const char *name;                 /* when the opcode says nothing */
    struct field_shape fields[8];
};

static const struct event_shape shapes[] = {
    [FILE_CREATE - FILE_CREATE] = {1,
                                   0,
                                   0,
                                   "CreateFile",
                                   {{1, 'p', "I/O Request Packet"},
                                    {2, 'p', "File Object"},
                                    {3, 'u', "Thread ID"},
                                    {4, 'p', "Create Options"},
                                    {5, 'p', "File Attributes"},
                                    {6, 'p', "Share Access"},
                                    {7, 's', "Open Path"}}},
    [FILE_DIRECTORY - FILE_CREATE] = {1,
                                      9,
                                      6,
                                      "DirEnum",
                                      {{1, 'p', "I/O Request Packet"},
                                       {2, 'p', "File Object"},
                                       {3, 'p', "File Key"},
                                       {4, 'u', "Thread ID"},
                                       {6, 'c', "Info Class"},
                                       {7, 'u', "File Index"},
                                       {8, 's', "Enumeration Path"}}},
    [FILE_INFO - FILE_CREATE] = {1,
                                 7,
                                 6,
                                 "Info",
                                 {{1, 'p', "I/O Request Packet"},
                                  {2, 'p', "File Object"},
                                  {3, 'p', "File Key"},
                                  {4, 'x', "Extra Info"},
                                  {5, 'u', "Thread ID"},
                                  {6, 'c', "Info Class"}}},
    [FILE_READ_WRITE - FILE_CREATE] = {2,
                                       8,
                                       0,
                                       "ReadOrWrite",
                                       {{2, 'p', "I/O Request Packet"},
                                        {1, 'u', "Offset"},
                                        {3, 'p', "File Object"},
                                        {4, 'p', "File Key"},
                                        {5, 'u', "Thread ID"},
                                        {6, 'u', "I/O Size"},
                                        {7, 'p', "I/O Flags"}}},
    [FILE_SIMPLE - FILE_CREATE] = {1,
                                   5,
                                   0,
                                   "SimpleOp",
                                   {{1, 'p', "I/O Request Packet"},
                                    {2, 'p', "File Object"},
                                    {3, 'p', "File Key"},
                                    {4, 'u', "Thread ID"}}},
    [FILE_END -
        FILE_CREATE] = {1, 0, 0, "EndOperation", {{2, 'u', "Extra Info"}, {3, 'p', "NT Status"}}},
    [FILE_PATH - FILE_CREATE] = {1,
                                 8,
                                 6,
                                 "PathOperation",
                                 {{1, 'p', "I/O Request Packet"},
                                  {2, 'p', "File Object"},
                                  {3, 'p', "File Key"},
                                  {4, 'u', "Extra Info"},
                                  {5, 'u', "Thread ID"},
                                  {6, 'c', "Info Class"},
                                  {7, 's', "File Name"}}},
};

static string_id text(const struct etw *etw, const char *literal)
{
    return strpool_intern_text(etw->file->import->strings, literal);
}

static void put_field(struct etw *etw, const struct field_shape *shape, uint64_t info_class,
                      const struct ftrace_fields *f)
{
    struct arg arg = {.type = ARG_UINT, .value.integer = field_int(f, shape->field)};
    const char *key = shape->key;
    switch (shape->as) {
    case 'p': arg.type = ARG_POINTER; break;
    case 's':
        arg.type = ARG_STRING;
        arg.value.string = strpool_intern(etw->file->import->strings, field_str(f, shape->field));
        break;
    case 'c':
        if (info_class >= 1 && info_class <= sizeof info_classes / sizeof info_classes[0]) {
            arg.type = ARG_STRING;
            arg.value.string = text(etw, info_classes[info_class - 1]);
        }
        break;
    case 'x':
        if (info_class == CLASS_DISPOSITION)
            key = "Disposition";
        else if (info_class == CLASS_END_OF_FILE || info_class == CLASS_ALLOCATION)
            key = "File Size";
        break;
    default: break;
    }
    arg.key = arg.flat_key = text(etw, key);
    arg_list_put(&etw->args, arg);
}

static void put_fields(struct etw *etw, const struct event_shape *shape,
                       const struct ftrace_fields *f)
{
    uint64_t info_class = shape->info_class ? field_uint(f, shape->info_class) : 0;
    vec_clear(&etw->args);
    for (size_t i = 0; i < sizeof shape->fields / sizeof shape->fields[0]; i++)
        if (shape->fields[i].key && field_has(f, shape->fields[i].field))
            put_field(etw, &shape->fields[i], info_class, f);
}

static string_id name_of(const struct etw *etw, const struct event_shape *shape,
                         const struct ftrace_fields *f)
{
    uint64_t opcode = shape->opcode ? field_uint(f, shape->opcode) : 0;
    return text(etw, opcode >= OPCODE_FIRST && opcode - OPCODE_FIRST < N_OPCODES
                         ? opcodes[opcode - OPCODE_FIRST]
                         : shape->name);
}

static uint32_t lanes_of(const struct etw *etw, uint32_t utid)
{
    struct track_key key = probe_key(etw->file, "etw_fileio", TRACK_SLICE);
    probe_dimension_int(&key, "utid", utid);
    return track_lanes_intern(etw->file->import->tracks, &key, NULL);
}

static void show_instant(struct etw *etw, int64_t ts, uint32_t utid, string_id name)
{
    uint32_t track = track_lane_scoped(etw->file->import->tracks, lanes_of(etw, utid), ts, 0);
    slice_scoped(etw->file, ts, 0, track, STRING_NULL, name, &etw->args);
}

static void end_operation(struct etw *etw, const struct etw_operation *operation, int64_t ts,
                          uint32_t utid)
{
    uint32_t track =
        track_lane_end(etw->file->import->tracks, lanes_of(etw, utid), (int64_t)operation->irp);
    slice_end(etw->file, ts, track, STRING_NULL, operation->name, &etw->args);
    map_remove(&etw->operation_of, operation->irp);
}

static void end_without_end(struct etw *etw, const struct etw_operation *operation)
{
    vec_clear(&etw->args);
    arg_list_put_string(&etw->args, text(etw, "Missing Event"), text(etw, "End"));
    end_operation(etw, operation, operation->ts, operation->utid);
}

static void begin_operation(struct etw *etw, const struct etw_operation *operation)
{
    uint64_t *at = map_get(&etw->operation_of, operation->irp);
    if (at) {
        /* The packet is used again: the end of its last use was lost. */
        struct arg_list args = etw->args;
        struct etw_operation before = etw->operations.items[*at];
        etw->args = (struct arg_list){0};
        end_without_end(etw, &before);
        vec_free(&etw->args);
        etw->args = args;
    }
    uint32_t track = track_lane_begin(etw->file->import->tracks, lanes_of(etw, operation->utid),
                                      (int64_t)operation->irp);
    slice_begin(etw->file, operation->ts, track, STRING_NULL, operation->name, &etw->args);
    map_set(&etw->operation_of, operation->irp, etw->operations.count);
    vec_push(&etw->operations, *operation);
}

void etw_file_event(struct etw *etw, int64_t ts, uint32_t tid, uint32_t field, struct str bytes)
{
    const struct event_shape *shape = &shapes[field - FILE_CREATE];
    struct ftrace_fields f;
    ftrace_read_fields(&f, bytes);
    struct etw_operation operation = {.irp = field_uint(&f, shape->irp),
                                      .ts = ts,
                                      .utid = thread_intern(etw->file, tid),
                                      .name = name_of(etw, shape, &f)};
    put_fields(etw, shape, &f);
    if (!field_has(&f, shape->irp)) {
        show_instant(etw, ts, operation.utid, operation.name);
    } else if (field != FILE_END) {
        begin_operation(etw, &operation);
    } else {
        const uint64_t *at = map_get(&etw->operation_of, operation.irp);
        if (at) {
            struct etw_operation begun = etw->operations.items[*at];
            end_operation(etw, &begun, ts, operation.utid);
            return;
        }
        arg_list_put_string(&etw->args, text(etw, "Missing Event"), text(etw, "Start"));
        show_instant(etw, ts, operation.utid, operation.name);
    }
}

void etw_file_finish(struct etw *etw)
{
    for (size_t i = 0; i < etw->operations.count; i++) {
        const struct etw_operation *operation = &etw->operations.items[i];
        const uint64_t *at = map_get(&etw->operation_of, operation->irp);
        if (at && *at == i) end_without_end(etw, operation);
    }
    map_free(&etw->operation_of);
    vec_free(&etw->operations);
}

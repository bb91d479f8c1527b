/* Which addresses are in the public internet (RFC 6890 and the registries that it
 * names). */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>

#include "macros/fetch.h"

static bool is_public_4(uint32_t a)
{
    static const struct {
        uint32_t net;
        int bits;
    } reserved[] = {
        {0x00000000, 8},  /* this host */
        {0x0A000000, 8},  /* private */
        {0x64400000, 10}, /* shared by a carrier */
        {0x7F000000, 8},  /* loopback */
        {0xA9FE0000, 16}, /* link-local */
        {0xAC100000, 12}, /* private */
        {0xC0000000, 24}, /* protocol assignments */
        {0xC0000200, 24}, /* documentation */
        {0xC0586300, 24}, /* 6to4 relays */
        {0xC0A80000, 16}, /* private */
        {0xC6120000, 15}, /* benchmarks */
        {0xC6336400, 24}, /* documentation */
        {0xCB007100, 24}, /* documentation */
        {0xE0000000, 4},  /* multicast */
        {0xF0000000, 4},  /* reserved, broadcast */
    };
    for (size_t i = 0; i < sizeof reserved / sizeof *reserved; i++)
        if ((a ^ reserved[i].net) >> (32 - reserved[i].bits) == 0) return false;
    return true;
}

static uint32_t read_4(const uint8_t *bytes)
{
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

static bool is_public_6(const uint8_t a[16])
{
    static const uint8_t zeros[16], mapped[12] = {[10] = 0xFF, [11] = 0xFF};
    static const uint8_t nat64[12] = {0x00, 0x64, 0xFF, 0x9B};
    static const uint8_t nat64_local[6] = {0x00, 0x64, 0xFF, 0x9B, 0x00, 0x01};
    if (memcmp(a, mapped, 12) == 0 || memcmp(a, nat64, 12) == 0 || memcmp(a, zeros, 12) == 0)
        return is_public_4(read_4(a + 12)) && memcmp(a, zeros, 12) != 0;
    if (a[0] == 0x20 && a[1] == 0x02) return is_public_4(read_4(a + 2));  /* 6to4 */
    if (a[0] == 0x20 && a[1] == 0x01 && (a[2] & 0xFE) == 0) return false; /* Teredo, protocols */
    if (memcmp(a, nat64_local, 6) == 0) return false;
    if (a[0] == 0x20 && a[1] == 0x01 && a[2] == 0x0D && a[3] == 0xB8) return false;
    /* Global unicast is 2000::/3, NAT64 above: the rest is local or not assigned. */
    return (a[0] & 0xE0) == 0x20;
}

bool fetch_is_public_address(const struct sockaddr *address)
{
    if (address->sa_family == AF_INET) {
        struct sockaddr_in in;
        memcpy(&in, address, sizeof in);
        return is_public_4(ntohl(in.sin_addr.s_addr));
    }
    if (address->sa_family == AF_INET6) {
        struct sockaddr_in6 in;
        memcpy(&in, address, sizeof in);
        return is_public_6(in.sin6_addr.s6_addr);
    }
    return false;
}

void fetch_address_text(const struct sockaddr *address, char out[FETCH_ADDRESS_TEXT])
{
    struct sockaddr_in in4;
    struct sockaddr_in6 in6;
    const void *bytes = NULL;
    if (address->sa_family == AF_INET) {
        memcpy(&in4, address, sizeof in4);
        bytes = &in4.sin_addr;
    } else if (address->sa_family == AF_INET6) {
        memcpy(&in6, address, sizeof in6);
        bytes = &in6.sin6_addr;
    }
    if (!bytes || !inet_ntop(address->sa_family, bytes, out, FETCH_ADDRESS_TEXT))
        memcpy(out, "its address", sizeof "its address");
}

#include "engine/import/power_rail_names.h"

/* By the end of the raw name: the beginning numbers the regulator chip.  Longer
 * ends come before shorter ones. */
static const struct {
    const char *suffix, *name;
} rails[] = {
    {"M_VDD_CPUCL0_M", "cpu.little.mem"},
    {"M_VDD_CPUCL0", "cpu.little"},
    {"M_VDD_CPUCL1_M", "cpu.mid.mem"},
    {"M_VDD_CPUCL1", "cpu.mid"},
    {"M_VDD_CPUCL2", "cpu.big"},
    {"M_VDD_INT", "system.fabric"},
    {"M_VDD_TPU", "tpu"},
    {"VSYS_PWR_DISPLAY", "display"},
    {"VSYS_PWR_DISP", "display"},
    {"M_DISP", "ldo.main.a.display"},
    {"VSYS_PWR_MODEM", "modem"},
    {"M_VDD_MIF", "memory.interface"},
    {"VSYS_PWR_WLAN_BT", "wifi.bt"},
    {"VSYS_PWR_MMWAVE", "mmwave"},
    {"S_VDD_AOC_RET", "aoc.memory"},
    {"S_VDD_AOC", "aoc.logic"},
    {"S_VDDQ_MEM", "ddr.a"},
    {"S_VDD2L_MEM", "ddr.b"},
    {"S_VDD2L", "ddr.b"},
    {"S_VDD2H_MEM", "ddr.c"},
    {"S_VDD_G3D_L2", "gpu.l2"},
    {"S_VDD_G3D", "gpu"},
    {"S_GNSS_CORE", "gps"},
    {"VSYS_PWR_RFFE", "radio.frontend"},
    {"VSYS_PWR_CAMERA", "camera"},
    {"S_VDD_CAM", "multimedia"},
    {"S_UDFPS", "udfps"},
    {"S_PLL_MIPI_UFS", "ufs"},
    {"M_LLDO1", "ldo.main.a"},
    {"M_LLDO2", "ldo.main.b"},
    {"S_LLDO1", "ldo.sub"},
};

const char *power_rail_friendly_name(struct str raw_name)
{
    for (size_t i = 0; i < sizeof rails / sizeof rails[0]; i++)
        if (str_ends(raw_name, str_of(rails[i].suffix))) return rails[i].name;
    return NULL;
}

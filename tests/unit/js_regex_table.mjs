// Writes js_regex_table.tsv, the right answers of js_regex_test.c:
//
//   node tests/unit/js_regex_table.mjs > tests/unit/js_regex_table.tsv
//   node tests/unit/js_regex_table.mjs random COUNT SEED > /tmp/random.tsv
//
// A row is an answer, a pattern and a subject.  The answer is what
// new RegExp(pattern).test(subject) says: yes, no, or bad when it throws.  refused
// stands for a pattern that JavaScript takes and perfetty says no to on purpose.
// In patterns and subjects %XX is a byte of UTF-8.  The second form makes rows up,
// as a search for differences: JS_REGEX_TABLE=/tmp/random.tsv unit_js_regex.

const r = String.raw;

// A pattern, then subjects.
const table = [
    ['Frame.*', 'Frame 1', 'frame 1', 'Expected Frame', "a\nFrame"],
    [r`.*CPU \d+$`, 'CPU 0 Scheduling', 'Ftrace Track for CPU 0', 'CPU 12'],
    ['^main', 'main 4213', 'xmain', "\nmain"],
    ['main$', 'main', "main\n", 'xmain'],
    ['', '', 'a'],
    ['a|b', 'b', 'c'],
    ['|', ''],
    ['(a|)b', 'b'],
    ['[]', '', 'a', ']'],
    ['[^]', '', 'a', "\n"],
    ['[]a', 'a'],
    ['[^]a', "\na", 'a'],
    ['a.c', 'abc', "a\nc", "a\rc", "a\u2028c", "a\u0085c", "a\ud83d\ude00c"],
    ['^.$', "\ud83d\ude00", "\u00e9"],
    ['^..$', "\ud83d\ude00"],
    ["^[\ud83d\ude00]$", "\ud83d\ude00"],
    ["\ud83d\ude00+", "\ud83d\ude00", "\ud83d\ude01"],
    [r`\uD83D\uDE00`, "\ud83d\ude00"],
    [r`\uD83D`, "\ud83d\ude00"],
    [r`\u{61}`, 'a', 'uuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuu'],
    [r`\u{2}`, 'uu', "\u0002"],
    [r`\x41`, 'A', 'x41'],
    [r`\x4`, 'x4', "\u0004"],
    [r`\u004`, 'u004'],
    [r`\s`, "\u00a0", "\ufeff", "\u180e", "\u2003", 'a', "\u0085", "\u000b"],
    [r`\S`, "\u00a0", "\u180e", ' '],
    [r`^\s+$`, " \t\u3000"],
    [r`\d`, "\u0663", '7'],
    [r`\D`, '7', "\u0663"],
    [r`\w`, "\u00e9", '_', '-'],
    [r`\W`, "\u00e9", '_'],
    [r`\bfoo\b`, 'a foo b', 'afoo', "\u00e9foo\u00e9"],
    [r`\Boo`, 'foo', 'oo'],
    [r`[\b]`, "\b", 'b'],
    [r`[\B]`, 'B', 'b'],
    [r`\cA`, "\u0001", 'cA', r`\cA`],
    [r`\c`, r`\c`, 'c'],
    [r`\c1`, r`\c1`, "\u0011"],
    [r`[\c1]`, "\u0011", '1', 'c'],
    [r`[\c_]`, "\u001f"],
    [r`[\c]`, "\\", 'c'],
    [r`\0`, "\u0000", '0'],
    [r`\01`, "\u0001"],
    [r`\1`, "\u0001", '1', ''],
    [r`(a)\1`, 'aa', 'a'],
    [r`\1(a)`, 'a'],
    [r`(a\1)`, 'a'],
    [r`(a)|\1b`, 'b'],
    [r`\2(a)`, "\u0002a", 'a'],
    [r`\8`, '8', r`\8`],
    [r`\18`, "\u00018"],
    [r`\377`, "\u00ff"],
    [r`\400`, ' 0', "\u0100"],
    [r`[\1]`, "\u0001", '1'],
    [r`[\8]`, '8', "\\"],
    [r`(?<n>a)\k<n>`, 'aa', 'a'],
    [r`\k<n>(?<n>a)`, 'a'],
    [r`\k`, 'k'],
    [r`\k<n>`, 'k<n>'],
    [r`(?<n>a)\k`, 'a'],
    [r`(?<n>a)[\k]`, 'ak'],
    ['(?<n>a)(?<n>b)', 'ab'],
    ['(?<1>a)', 'a'],
    ["(?<\u00e9>a)", 'a'],
    [r`(?<$>a)\k<$>`, 'aa'],
    [r`(?<n>a)\k<m>`, 'aa'],
    [r`\p{L}`, "\u00e9", 'p{L}'],
    [r`\a`, 'a', "\u0007"],
    [r`\e`, 'e', "\u001b"],
    [r`\z`, 'z', ''],
    [r`\A`, 'A', ''],
    [r`\Q.\E`, 'Q.E', '.'],
    [r`\h`, 'h', ' '],
    [r`\R`, 'R', "\n"],
    [r`\G`, 'G'],
    [r`\K`, 'K'],
    [r`\X`, 'X'],
    [r`\N`, 'N'],
    [r`\N{2}`, 'NN'],
    [r`\o{101}`, 'A'],
    [r`\x{41}`, 'A', 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx'],
    [r`\-`, '-'],
    [r`\_`, '_'],
    ["\\\u00e9", "\u00e9"],
    [r`\/`, '/'],
    ['a{2}', 'a', 'aa', 'a{2}'],
    ['a{2,}', 'aaa', 'a'],
    ['a{,2}', 'a{,2}', 'a'],
    ['^a{,2}$', 'aa', 'a{,2}'],
    ['a{', 'a{'],
    ['a{1', 'a{1'],
    ['a{1,', 'a{1,'],
    ['a{x}', 'a{x}'],
    ['{', '{'],
    ['}', '}'],
    [']', ']'],
    ['a]', 'a]'],
    ['{1}', '{1}'],
    ['a{2,1}', 'aa'],
    ['x{0}y', 'y'],
    ['a++', 'aa'],
    ['a*+', 'aa'],
    ['a?+', 'a'],
    ['a{1}+', 'a'],
    ['a+?', 'a'],
    ['a+??', 'a'],
    ['a**', 'a'],
    ['*a', 'a'],
    ['+', '+'],
    ['?', '?'],
    ['(*ACCEPT)', ''],
    ['(?i)a', 'A'],
    ['(?i:a)', 'A'],
    ['(?-i:a)', 'a'],
    ['(?P<n>a)', 'a'],
    ['(?P=n)', 'a'],
    ['(?>a)', 'a'],
    ['(?#c)a', 'a'],
    ['(?|a)', 'a'],
    [r`(?'n'a)`, 'a'],
    ['(?R)', 'a'],
    ['(?1)(a)', 'a'],
    ['(?&n)', 'a'],
    ['(?', 'a'],
    ['(?<', 'a'],
    ['(?<n', 'a'],
    ['(', '('],
    [')', ')'],
    ['(a', 'a'],
    ['a)', 'a'],
    ['[', '['],
    ['[a', 'a'],
    ['[b-a]', 'a'],
    [r`[a-\d]`, '-', '5', 'b'],
    [r`[\d-z]`, '-', '5', 'y', 'z'],
    [r`[\d-\w]`, '-'],
    ['[a-]', '-'],
    ['[-a]', '-'],
    ['[a-c-e]', '-', 'd', 'e'],
    ['[[]', '['],
    ['[[a]]', 'a]', '[]', 'a'],
    ['[a&&b]', '&', 'a', 'b'],
    ['[^a]', 'a', 'b', "\n", "\ud83d\ude00"],
    [r`[^\d\D]`, 'a'],
    [r`[\s\S]`, "\n"],
    [r`[\]]`, ']'],
    [r`[^\]]`, ']'],
    [r`[\^a]`, '^'],
    ['[.*+?]', '.', 'a'],
    ['[$]', '$'],
    ["[\u00e0-\u00ef]", "\u00e9", 'e'],
    ['^*', ''],
    ['$*', ''],
    [r`\b*`, 'a'],
    [r`\b+`, 'a'],
    ['(?=a)*b', 'b'],
    ['(?=a)+a', 'a', 'b'],
    ['(?!a){2}b', 'b'],
    ['(?<=a)*b', 'b'],
    ['(?<=a)b', 'ab', 'cb'],
    ['(?<!a)b', 'ab', 'cb', 'b'],
    ['(?<=^|,)x', 'x', ',x', 'ax'],
    [r`(?=(a))\1`, 'a'],
    [r`(?!(a))\1b`, 'b'],
    ['(?:)', ''],
    ['()', ''],
    ['(?:a|ab)(?:c|bcd)(?:d*)', 'abcd'],
    ['(z)((a+)?(b+)?(c))*', 'zaacbbbcac'],
    ['^(?:a?)*?$', 'a', '', 'b'],
    ['(?:a*)*$', 'aab'],
    ['^(a+)+$', 'aaaa', 'aaab'],
    [r`com\.ex\..*`, 'com.ex.shop', 'comxex'],
    [r`com\.android\.systemui \d+ > RenderThread \d+`, 'com.android.systemui 1234 > RenderThread 1250'],
    ['a b', 'a b'],
    ['a#b', 'a#b'],
    [r`\#`, '#'],
    [r`\ `, ' '],
    ["\n", "a\nb"],
    [r`^\$`, '$'],
    ["a\\", 'a'],
    ["\\", "\\"],
    ["[\\", "\\"],
    [r`\ca\cz`, "\u0001\u001a"],
    [r`[\w-]+`, '-a'],
    [r`[\W_]`, '_', 'a', "\u00e9"],
    [r`\u00e9`, "\u00e9"],
    [r`[\ud83d\ude00]`, "\ud83d\ude00"],
    [r`[^\ud83d]`, "\ud83d\ude00"],
    [r`^[^\ud83d]$`, "\ud83d\ude00"],
    [r`\t\n\v\f\r`, "\t\n\u000b\f\r"],
    ['a{0,99999999999}b', 'aab'],
    [r`(?:(a)|b)\1c`, 'bc', 'aac'],
    [r`(a)?\1b`, 'b', 'aab'],    // What is refused, beside its neighbours that are not.
    [r`(?<n>a`, 'a'], [r`(?<>a)`, 'a'], [r`(?<a b>c)`, 'c'], [r`(?<a-b>c)`, 'c'],
    [r`(?<a1>c)`, 'c'], [r`(?<$a_1>c)\k<$a_1>`, 'cc', 'c'], [r`(?<n>a)|(?<n>b)`, 'a'],
    [r`(?<n>a)\k<n`, 'aa'], [r`(?<n>a)\k<>`, 'aa'], [r`(?<n>a)\k'n'`, 'aa'],
    [r`(?<n>a)\k{n}`, 'aa'], [r`\k<n>`, 'k<n>', 'k'], [r`\k{n}`, 'k{n}'], [r`[\k]`, 'k'],
    [r`(?<n>a)(?<m>b)\k<m>\k<n>`, 'abba', 'abab'], [r`(?<n>a)\1`, 'aa', 'ab'],
    [r`(?<\u0061>b)\k<a>`, 'bb', 'b'], [r`(?<a>b)\k<\u0061>`, 'bb'], [r`(?<\u{61}>b)`, 'b'],
    [r`(?<\u0031>b)`, 'b'], ['(?<\u{1d4d0}>b)', 'b'], ['(?<a\u00d7>b)', 'b'], ['(?<\u4e00>b)', 'b'],
    ['(?<a\u200d>b)', 'b'], ['(?<\u200d>b)', 'b'], ['(?<\u2018>b)', 'b'], ['(?<\ud83d\ude00>b)', 'b'],
    [r`(?=`, 'a'], [r`(?!`, 'a'], [r`(?<=`, 'a'], [r`(?<!`, 'a'], [r`(?:`, 'a'], [r`(?:a`, 'a'],
    [r`(?=a)b`, 'b'], [r`(?=a`, 'a'], [r`a|*`, 'a'], [r`a|+b`, 'a'], [r`(*)`, '*'], [r`(?)`, 'a'],
    [r`(+a)`, 'a'], [r`a||b`, '', 'a'], [r`(||)`, ''], [r`(?im)a`, 'a'], [r`(?s)a.b`, 'a'],
    [r`(?x) a`, 'a'], [r`(?^)a`, 'a'], [r`(?-)a`, 'a'], [r`(?P>n)`, 'a'], [r`(?C)`, 'a'],
    [r`(?+1)`, 'a'], [r`(?(1)a|b)`, 'a'], [r`(?0)`, 'a'], [r`(*UTF8)a`, 'a'], [r`(*COMMIT)`, 'a'],
    [r`\g1`, 'g1'], [r`(a)\g1`, 'ag1', 'aa'], [r`(a)\g{1}`, 'ag', 'aa'], [r`(a)\g{-1}`, 'ag{-1}', 'aa'],
    [r`\l\y\i\j\m\o\q\U\L\E\C\F\H\I\J\M\O\P\T\V\Y\Z`, 'lyijmoqULECFHIJMOPTVYZ', ''],
    // Repetitions.
    ['a{0}', '', 'a'], ['^a{0}$', 'a', ''], ['a{0}{1}', 'a'], ['a{1}{2}', 'aa'], ['a{1}?b', 'ab'],
    ['^a{2,3}$', 'a', 'aa', 'aaa', 'aaaa'], ['^a{2,3}?$', 'aaa', 'aaaa'], ['^a{02}$', 'aa', 'a'],
    ['^a{ 2}$', 'a{ 2}', 'aa'], ['^a{2 }$', 'a{2 }', 'aa'], ['^a{2, 3}$', 'a{2, 3}', 'aa'],
    ['a{-1}', 'a{-1}'], ['a{+1}', 'a{1}', 'a{{1}'], ['a{1,2,3}', 'a{1,2,3}', 'a'], ['a{,}', 'a{,}', ''],
    ['a{}', 'a{}', 'a'], ['{', '{'], ['{}', '{}'], ['{,1}', '{,1}'], ['x{1', 'x{1'], ['{1', '{1'],
    ['{1,', '{1,'], ['{1,2', '{1,2'], ['a{1}}', 'a}', 'a'], ['{{1}', '{', ''], ['}}', '}}'], [']]', ']]'],
    ['a]b}', 'a]b}'], ['a|{1}', 'a'], ['(?:a{2}){2}', 'aaaa', 'aaa'], ['^(?:ab?){2,}c', 'aabc', 'abc'],
    ['a??b', 'b', 'ab'], ['^a*?$', 'aaa', 'aab'], ['a+?+', 'a'], ['a???', 'a'], ['a{2}{', 'aa{'],
    ['(?=a){2}ab', 'ab', 'b'], ['(?!a)?a', 'a'], ['(?<!a)?b', 'b'], ['(?<!a){2}b', 'b'], ['\\B*', 'a'],
    ['^+', 'a'], ['$?', 'a'], ['^{2}a', 'a'], ['a^*', 'a'], ['(?:^)*a', 'ba'], ['(?:$)?a', 'a'],
    // Octal and other escapes.
    [r`\00`, '\x00'], [r`\000`, '\x00', '0'], [r`\0000`, '\x000', '\x00'], [r`\08`, '\x008', '8'],
    [r`\07`, '\x07'], [r`\7`, '\x07', '7'], [r`\77`, '?'], [r`\777`, '?7'], [r`\100`, '@'],
    [r`\1000`, '@0'], [r`\38`, '\x038'], [r`\9`, '9', '\\9'], [r`\81`, '81'], [r`\91`, '91'],
    [r`(a)\2`, 'a\x02', 'aa'], [r`(a)\10`, 'a\x08', 'aa0'], [r`(a)\18`, 'a\x018', 'aa8'],
    [r`(a)\11`, 'a\t', 'aa1'], [r`(a)\01`, 'a\x01', 'aa'], [r`(a)(b)\2\1`, 'abba', 'abab'],
    [r`(a)(b)(c)(d)(e)(f)(g)(h)(i)(j)\10`, 'abcdefghijj', 'abcdefghija0'],
    [r`(a)(b)(c)(d)(e)(f)(g)(h)(i)(j)\11`, 'abcdefghij\t', 'abcdefghija1'],
    [r`[\00]`, '\x00'], [r`[\07]`, '\x07', '0'], [r`[\377]`, '\xff'], [r`[\400]`, ' ', '0'],
    [r`[\9]`, '9', '\\'], [r`[\12-\14]`, '\v', '1'], [r`[\x41-\x43]`, 'B', 'x'], [r`[\x4]`, 'x', '4'],
    [r`[\xg]`, 'x', 'g', '\\'], [r`\xg`, 'xg'], [r`\x`, 'x'], [r`\u`, 'u'], [r`\u12`, 'u12'],
    [r`\uD83D\u0041`, '\u{1f600}'], [r`\u{1F600}`, '\u{1f600}', 'u{1F600}'], [r`[\u0041-\u0043]`, 'B', 'u'],
    [r`[\u]`, 'u'], [r`[\u{61}]`, 'a', 'u', '6', '}'], [r`\cj`, '\n'], [r`\cZ`, '\x1a'], [r`\c*`, '\\ccc', '\\'],
    [r`\c?`, '\\'], [r`\c+`, '\\c', '\\'], [r`[\cA]`, '\x01', 'c'], [r`[\c!]`, '\\', 'c', '!'], [r`[\c`, 'c'],
    [r`[\c-a]`, 'a'], [r`[\ca-\cc]`, '\x02', 'b'], [r`\p{Lu}`, 'A', 'p{Lu}'], [r`\P{L}`, '1', 'P{L}'],
    [r`\p`, 'p'], [r`[\p{L}]`, 'p', '\u00e9', '}'], [r`\X\R\h`, 'XRh'], [r`\t`, '\t'], [r`\'\"`, '\'"'],
    [r`\[\]\(\)\{\}\*\+\?\.\^\$\|\\\/`, '[](){}*+?.^$|\\/'], [r`[\t\n\v\f\r]`, '\f', 't'], [r`[\-]`, '-', '\\'],
    // Classes.
    ['[^]]', 'a]', 'a'], ['[]]', ']'], ['[]-a]', 'a'], ['[^-a]', '-', 'b'], ['[--/]', '.', ','], ['[+--]', ',', '.'],
    ['[a-a]', 'a', '-'], ['[a-b-c]', '-', 'b', 'c'], ['[z-a]', 'm'], [r`[\d-a]`, '-', 'a', 'b'], [r`[a-\s]`, ' ', '-'],
    [r`[\s-\d]`, '-', '5'], [r`[^\s]`, ' ', 'a', '\u00a0'], [r`[^\w]`, 'a', '\u00e9'], [r`[\D\d]`, '\u{1f600}'],
    [r`[^\D]`, '5', 'a'], [r`[^\S]`, ' ', '\u2029', 'a'], [r`[\W\d]`, '5', 'a', '-'],
    ['[:alpha:]', 'a', 'z', ':'], ['[a[:b]', ':'], ['[=a=]', '='], ['[.a.]', '.'], ['[a-z', 'b'], ['[(]', '('],
    ['[)]', ')'], ['[|]', '|'], ['[{}]', '}'], ['[*', '*'], ['[[]]', '[]', '['], ['[a||b]', '|'], ['[a--b]', 'a'],
    ['[\u0000-\uffff]', 'a', '\n', '\u{1f600}'], ['^[^\u0000-\uffff]', '\u{1f600}', 'a'], ['[\u00e9]', 'e\u0301', '\u00e9'],
    ['[\u{1f600}-\u{1f64f}]', '\u{1f600}'], ['[\u{1f600}a]', 'a', '\u{1f601}', '\u{10ffff}'], [r`[\ud800-\udfff]`, '\u{1f600}', '\ue000'],
    [r`^[^\ud800-\udfff]`, '\u{1f600}', '\u{10ffff}', '\ud7ff', '\ue000'],
    // Anchors, boundaries, the dot.
    ['^', '', 'a', '\n'], ['$', '', 'a\n'], ['^$', '', '\n', 'a'], ['a$b', 'a\nb', 'ab'], ['a^b', 'a\nb'], ['^a|b$', 'ab', 'cb', 'bc'],
    ['(^a)', 'ba', 'a'], ['(a$)', 'ab', 'ba'], ['a$\\n', 'a\n'], ['\\n$', 'a\n', 'a\n\n'], ['$^', '', 'a'], ['^^a$$', 'a'],
    ['x*$', 'xxy', ''], ['(?=$)a', 'a'], ['a(?!$)', 'a', 'ab'], ['(?<=^a)b', 'ab', 'cab'], ['(?<!^)a', 'a', 'ba'],
    [r`\b`, '', 'a', '-', '\u00e9'], [r`\B`, '', 'a', '-', 'ab'], [r`\b.\b`, 'a', '\u00e9', 'aa'], [r`^\b`, '-a', 'a'],
    [r`\bcaf\b`, 'caf\u00e9'], [r`\b\d+\b`, 'CPU 12', 'a12'], [r`_\b`, '_', '_a'], [r`\b\b\bfoo`, 'foo'],
    ['.', '\n', '\r', '\u2028', '\u2029', '\v', '\f', '\u0085', ''], ['^.{2}$', '\u{1f600}', '\u00e9\u00e9', 'a\u0301'],
    ['^.{3}$', '\u{1f600}', 'a\u{1f600}'], [r`^\W\W$`, '\u{1f600}'], [r`^\S$`, '\u{1f600}', '\u4e00'], ['^(.).$', '\u{1f600}'],
    [r`^(.)\1$`, '\u{1f600}', 'aa'], ['\u{1f600}{2}', '\u{1f600}', '\u{1f600}\u{1f600}', '\ud83d\ude00'], ['\u{1f600}?a', 'a', '\u{1f600}a'],
    ['(?:\u{1f600}){2}', '\u{1f600}\u{1f600}', '\u{1f600}'], ['\u{1f600}|a', 'a', '\u{1f600}'], [r`\ude00$`, '\u{1f600}', 'a'],
    [r`^\ude00`, '\u{1f600}'], ['\u{10ffff}', '\u{10ffff}', '\u{10fffe}'], [r`\uffff`, '\uffff'], [r`\ufffd`, '\ufffd'],
    // Space and digits beyond ASCII.
    [r`\s`, '\u1680', '\u2000', '\u200a', '\u200b', '\u2028', '\u2029', '\u202f', '\u205f', '\u3000', '\u001c', '\t', '\n', '\f', '\r'],
    [r`\d`, '\uff11', '\u0967', '\u{1d7ce}', '0', '9'], [r`\w`, '\u017f', '\u212a', '\u00aa', 'Z', '0'],
    [r`^[\w.]+$`, 'com.ex.shop', 'com.\u00e9x'], [r`^\D+$`, '\u0661\u0662'],
    // Case and flags.
    ['A', 'a', 'A'], ['[a-z]', 'A', 'a'], [r`\u00c9`, '\u00e9', '\u00c9'], ['\u00df', 'SS', '\u00df'], ['/a/i', 'A', '/a/i'], ['/a/', 'a', '/a/'],
    ['(?i:A)', 'a'], ['a/i', 'a/i', 'A'], ['(?<=a)(?i)b', 'ab'],
    // References, ahead and behind.
    [r`(a)\1+`, 'aaa', 'a'], [r`(a*)\1$`, 'aa', 'aaa', ''], [r`^(a*)b\1$`, 'aba', 'abaa', 'b'], [r`\1`, '\x01'],
    [r`^(?:\1a|(b)a)+$`, 'ba', 'aba'], [r`(?:(a)|b)\1`, 'aa', 'b', 'c'], [r`(a)|b\1`, 'b', 'a', 'c'], [r`((a)\2)\1`, 'aaaa', 'aaa'],
    [r`(\1a)\1`, 'aa', 'a'], [r`(a(\1))`, 'a'], [r`(?=(a+))a*b\1`, 'baaabac', 'baab'], [r`(?=(a+))\1b`, 'aab', 'aa'],
    [r`(?!(a)b)\1c`, 'c', 'ac'], [r`(?!(?!(a)))\1b`, 'ab', 'b'], [r`^(.)(.)\2\1$`, 'abba', 'abab'], [r`\k<a>(?<a>x)`, 'x'], [r`(?<a>x)|\k<a>y`, 'y', 'xx'],
    [r`(a)\1{2}b`, 'aaab', 'aab'], [r`(a)\1*b`, 'ab', 'b'], [r`(a)?b\1`, 'ba', 'aba', 'ab'], [r`^(a)?\1b$`, 'b', 'ab', 'aab'],
    [r`(\2)(a)`, 'a'], [r`(?:(a)(b)?)c\2`, 'ac', 'abcb', 'abc'], [r`(a)(?:\1)`, 'aa', 'ab'], [r`([ab])x\1`, 'axa', 'axb'],
    // Look-behind of a fixed length.
    ['(?<=ab)c', 'abc', 'bc'], ['(?<!ab)c', 'abc', 'bc', 'c'], ['(?<=a|bc)d', 'ad', 'bcd', 'cd'], ['(?<=[ab])c', 'bc', 'cc'], [r`(?<=\d{3})x`, '123x', '12x'],
    ['(?<=a)(?<!b)c', 'ac', 'bc'], ['(?<=(?<=a)b)c', 'abc', 'bc'], ['(?<=a(?=b))b', 'ab', 'b'], [r`(?<=\bfoo)bar`, 'foobar', 'xfoobar'],
    ['(?<=)a', 'a'], ['(?<!)a', 'a'], ['(?<=.)a', 'a', '\na', 'ba'], ['(?<=\u{1f600})a', '\u{1f600}a', '\u{1f601}a'], ['(?<=\u00e9)a', '\u00e9a', 'ea'],
    ['(?<= > )Render', 'com.ex 12 > RenderThread 9', 'RenderThread 9'], ['(?<=$)', 'a', ''], ['(?<=a|$)', 'b', ''], ['(?<=^)a', 'a', 'ba'],
    // As people write them for tracks.
    [r`^CPU \d+ (Scheduling|Frequency)$`, 'CPU 0 Scheduling', 'CPU 12 Frequency', 'CPU x Scheduling'], ['surfaceflinger', '/system/bin/surfaceflinger 512', 'SurfaceFlinger'],
    [r`^(?!.*Binder).*\d$`, 'main 4213', 'Binder:4213_1', 'Binder:4213_'], [r`Binder:\d+_[0-9A-F]+`, 'Binder:4213_A', 'Binder:4213_g'], ['^mem\\.(rss|swap)$', 'mem.rss', 'mem.rss.anon'],
    [r`^[^>]+ > [^>]+$`, 'a 1 > b 2', 'a 1 > b 2 > c', 'a 1'], ['(Expected|Actual) Timeline', 'Expected Timeline', 'Frame'], [r`Thread\[\d+\]`, 'Thread[12]', 'Thread12'], ['\\$[A-Z]', '$A', 'A'],
    ['^\\S+ \\d+$', 'kworker/u16:3 77', 'a b 1'], ['[^\\x00-\\x7F]', 'caf\u00e9', 'cafe'],
];

// JavaScript takes these; perfetty refuses them, for what it says there.
const refused = [
    '[[:alpha:]]', '[[:^digit:]x]', '[[:word:]',        // nobody means what JavaScript reads there
    r`(?<=a*)b`, r`(?<!a+)b`, r`(?<=a{1,2})b`, r`(?<=x(?:a|bc))d`, // look-behind of variable length
    r`(?<=\1(a))b`, r`(a)(?<=\1)b`,        // a reference in a look-behind
    r`(?:(a)|b)*\1`, r`(?:(a)?b)+\1`,      // JavaScript forgets (a) in each round
    r`^(a*)*\1b$`, r`(?:a|(b?))+\1`,       // a round that matched nothing does not count there
    'a{70000}',
];

function escape(text) {
    let out = '';
    for (const byte of Buffer.from(text, 'utf8')) {
        const plain = byte > 32 && byte < 127 && byte !== 37;
        out += plain || byte === 32 ? String.fromCharCode(byte)
                                    : '%' + byte.toString(16).padStart(2, '0').toUpperCase();
    }
    return out;
}

function answer(pattern, subject) {
    let regex;
    try {
        regex = new RegExp(pattern);
    } catch {
        return 'bad';
    }
    return regex.test(subject) ? 'yes' : 'no';
}

function print(verdict, pattern, subject) {
    if (!pattern.isWellFormed() || !subject.isWellFormed())
        throw new Error(`half of a pair has no UTF-8: ${escape(pattern)}`);
    console.log(`${verdict}\t${escape(pattern)}\t${escape(subject)}`);
}

// A number below n, the same for the same seed.
let seed = Number(process.argv[4] ?? 1) >>> 0;
function below(n) {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return Math.floor(seed / 4294967296 * n);
}
const pick = list => list[below(list.length)];

const words = ['a', 'b', 'c', 'ab', '.', '\\d', '\\w', '\\S', '\\b', '\\B', '^', '$', '|', '|', '1', ' ', '-', '\\1',
               '\\2', '\\3', '\\01', '\\8', '\\c', '\\cA', '\\x41', '\\u0061', '\\k<n>', '[', ']', '[^', '{', '}', '{2}', '{0,1}', '{1,}', '*', '+', '?',
               '*?', '(', ')', '(?:', '(?=', '(?!', '(?<=', '(?<!', '(?<n>', '(a)', '(b*)', '(a|b)', '[^]', '[]', '[a-c]', '\\', 'é', '\u{1f600}', ','];
const letters = ['a', 'b', 'c', 'ab', 'ba', ' ', '1', '-', '{', '}', ']', '\\', 'k', '\u0001', 'é', '\u{1f600}', '\n', 'A', ','];

function random(count) {
    for (let i = 0; i < count; i++) {
        let pattern = '', subject = '';
        for (let n = 1 + below(9); n > 0; n--) pattern += pick(words);
        // Most open groups get closed, so that half of the patterns are good.
        for (let n = pattern.split('(').length - pattern.split(')').length; n > 0; n--)
            if (below(20)) pattern += ')' + pick(['', '', '*', '?', '+', '\\1']);
        for (let n = below(6); n > 0; n--) subject += pick(letters);
        print(answer(pattern, subject), pattern, subject);
    }
}

if (process.argv[2] === 'random') {
    random(Number(process.argv[3]));
} else {
    for (const [pattern, ...subjects] of table)
        for (const subject of subjects) print(answer(pattern, subject), pattern, subject);
    for (const pattern of refused) {
        if (answer(pattern, '') === 'bad') throw new Error(`JavaScript refuses ${pattern}`);
        print('refused', pattern, 'a');
    }
}

/** A person's name as a merchant stores it. */
interface SplitName {
  firstName?: string;
  lastName?: string;
  /** False if the whole name is in `lastName`, because the parts of the name are not certain. */
  certain: boolean;
}

const listOf = (words: string): ReadonlySet<string> => new Set(words.split(' '));

/** Compared without dots, in lower case. `Sr.` before a name is Spanish, after a name it means senior. */
const titles = listOf('mr mrs ms miss mx dr prof rev sir capt sr sra srta');
/** Belong to the last name. `V` is not listed, because it may also be an initial. */
const generations = listOf('jr sr ii iii iv');
/** Degrees and professions after a name. MA and DO are not listed, because they are also family names. */
const degrees = listOf('md dds dmd dvm phd pharmd jd llm mba cpa rn esq');
/** Words with which a family name of several words begins. `al` is not listed, because it is also a first name. */
const particles = listOf(
  'van von der den ter ten vander vande de del della di da dal dos das du la le las los zu zum zur af av mc st saint san santa',
);
/** Words that occur in the names of companies or after the name of an officer. */
const notNames = listOf(
  'and llc inc incorporated corp corporation ltd lp llp pllc company trust estate holdings owner partner member manager president ceo cfo coo director secretary treasurer',
);
/** Vietnamese family names, which come first. In `Nguyen Van Anh`, `Van` is not a particle. */
const familyNamesFirst = listOf('nguyen tran le pham huynh hoang phan vu vo dang bui ngo duong');

const keyOf = (word: string): string => word.toLowerCase().replaceAll('.', '');
const isInitial = (word: string): boolean => /^(?:\p{L}|(?:\p{L}\.-?)+)$/u.test(word);
const isParticle = (word: string): boolean => particles.has(keyOf(word));
const isTitle = (word: string): boolean => titles.has(keyOf(word));
const isSuffix = (word: string): boolean => generations.has(keyOf(word)) || degrees.has(keyOf(word));
const isNameWord = (word: string): boolean =>
  /^(?=.*\p{L})[\p{Script=Latin}\p{M}.'’‘-]+$/u.test(word) &&
  ![isTitle(word), isSuffix(word), notNames.has(keyOf(word))].includes(true);

/**
 * Splits the name of a person into first and last name. Removes titles and degrees, which the fields of a merchant
 * do not contain. `Jr.` stays in the last name. If the parts are not certain, returns the whole name as the last name:
 * for a single word, a middle name that may be part of the family name, a company, two persons, or another script.
 *
 * Own code, because the libraries `parse-full-name` and `humanparser` do not report whether a split is certain. Both
 * split `García Márquez, Gabriel` in the wrong place.
 */
export function splitName(name: string): SplitName {
  const whole = name.trim();
  const uncertain = { ...(whole && { lastName: whole }), certain: false };
  const segments = whole.split(',').map((segment) => segment.split(/\s+/).filter((word) => word !== ''));
  const suffixes: string[] = [];
  while (segments.length > 1 && segments.at(-1)?.every(isSuffix)) suffixes.unshift(...(segments.pop() ?? []));
  const parts = segments.map((words) => withoutTitles(takeSuffixes(words, suffixes)));
  const [first = [], second] = parts;
  const { given, family } = second ? { given: second, family: first } : inNaturalOrder(first);
  const certain =
    parts.length <= 2 &&
    [...given, ...family].every(isNameWord) &&
    (second ? isCertainInverted(given, family) : isCertain(given, family));
  if (!certain) return uncertain;
  const generation = suffixes.filter((word) => generations.has(keyOf(word)));
  return { firstName: given.join(' '), lastName: [...family, ...generation].join(' '), certain };
}

/** Moves the suffixes at the end of the words to `suffixes`. */
function takeSuffixes(words: readonly string[], suffixes: string[]): string[] {
  const end = words.findLastIndex((word) => !isSuffix(word)) + 1;
  suffixes.unshift(...words.slice(end));
  return words.slice(0, end);
}

function withoutTitles(words: readonly string[]): readonly string[] {
  const start = words.findIndex((word) => !isTitle(word));
  return start < 0 ? [] : words.slice(start);
}

/** The family name is the last word and the particles before it. */
function inNaturalOrder(words: readonly string[]): { given: string[]; family: string[] } {
  const particle = words.findIndex((word, index) => index > 0 && isParticle(word));
  const start = particle > 0 && particle < words.length - 1 ? particle : words.length - 1;
  return { given: words.slice(0, start), family: words.slice(start) };
}

const withoutParticles = (words: readonly string[]): string[] => words.filter((word) => !isParticle(word));

/** Reports whether the names are one first name with initials, and one family name with particles. */
function isCertain([firstName = '', ...middle]: readonly string[], family: readonly string[]): boolean {
  return (
    firstName !== '' &&
    !isParticle(firstName) &&
    middle.every(isInitial) &&
    !family.some(isInitial) &&
    (family.length === 1 || withoutParticles(family).length === 1) &&
    !(middle.length + family.length > 1 && familyNamesFirst.has(keyOf(firstName)))
  );
}

/** Reports whether `Last, First` is one person: in `Ada Byron, Grace Hopper`, both parts have two words. */
const isCertainInverted = (given: readonly string[], family: readonly string[]): boolean =>
  given.length > 0 &&
  family.length > 0 &&
  !family.some(isInitial) &&
  (withoutParticles(family).length <= 1 || given.slice(1).every(isInitial));

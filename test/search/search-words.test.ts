import fc from 'fast-check';
import { getCountries, getExampleNumber } from 'libphonenumber-js/min';
import examples from 'libphonenumber-js/mobile/examples' with { type: 'json' };
import { describe, expect, test } from 'vitest';
import { isAnyOf } from '../../shared/endpoints/list-view.ts';
import { evaluate } from '../../shared/sales/applications/completeness/condition.ts';
import { parseCondition } from '../../shared/sales/underwriting-rules/parse-condition.ts';
import { foldWords } from '../../shared/search/fold-text.ts';
import { indexedFields, searchTermsOf, termsOfValue, valuesOf } from '../../shared/search/indexed-fields.ts';
import { internationalDigits } from '../../shared/search/phone-digits.ts';
import { matchesTerms, phoneTermsOf, searchWordsOf, termsOf } from '../../shared/search/search-words.ts';
import { codePoint } from '../harness/code-point.ts';

const finds = (search: string, ...texts: string[]): boolean =>
  matchesTerms(searchWordsOf(search), texts.flatMap(termsOf));

describe('a search finds names and texts', () => {
  test.each([
    // Several fields, in any order, by the beginnings of words.
    ['José Núñez', ['José', 'Núñez']],
    ['jos nun', ['José', 'Núñez']],
    ['nunez jose', ['José', 'Núñez & Sons']],
    ['sons nuñ', ['Núñez & Sons']],
    // Case, accents, composed and decomposed Unicode, full-width forms.
    ['nunez', ['Núñez']],
    ['Nu\u0301n\u0303ez', ['Núñez']],
    ['NÚÑEZ', ['Nu\u0301n\u0303ez']],
    ['strasse', ['Bahnhofplatz Straße']],
    ['Straße', ['STRASSE']],
    ['istanbul', ['İSTANBUL KEBAP']],
    ['kadikoy', ['Kadıköy']],
    ['KADIKÖY', ['kadıköy']],
    ['acme', ['ＡＣＭＥ']],
    ['ｓｈｏｐ', ['Shop']],
    ['malmo', ['Malmö']],
    ['soren kierkegaard', ['Søren', 'Kierkegaard']],
    ['lodz', ['Łódź']],
    ['dordevic', ['Đorđević']],
    ['aethelred', ['Æthelred']],
    ['coeur', ['Cœur de Lion']],
    ['thor', ['Þór Hammers']],
    ['nguyen van', ['Nguyễn Văn An']],
    ['dvorak', ['Dvořák']],
    ['papadopoulos', ['PAPADOPOULOS']],
    ['παπαδοπουλος', ['Παπαδόπουλος']],
    ['ПЁТР', ['пётр']],
    ['семенова', ['Семёнова']],
    ['محمد', ['مُحَمَّد']],
    ['שלום', ['שָׁלוֹם']],
    // Hyphens, apostrophes and other punctuation.
    ['oneill', ["O'Neill"]],
    ["o'neill", ["O'Neill"]],
    ['o’neill', ["O'Neill"]],
    ["O'Neill", ['ONeill']],
    ['neill', ["O'Neill"]],
    ['smith-jones', ['Smith Jones']],
    ['smith jones', ['Smith-Jones']],
    ['smithjones', ['Smith-Jones']],
    ['smith-jo', ['Smith-Jones']],
    ['coop', ['Co-op Market']],
    ['co-op', ['Coop Market']],
    ['dangelo', ["D'Angelo's Pizza"]],
    ['macys', ["Macy's"]],
    ['macy', ["Macy's"]],
    ['at&t', ['AT&T Store']],
    ['att', ['AT&T Store']],
    ['barnes noble', ['Barnes & Noble']],
    ['barnes & noble', ['Barnes & Noble']],
    ['7-eleven', ['7-Eleven #1204']],
    ['7 eleven', ['7-Eleven']],
    ['1204', ['7-Eleven #1204']],
    ['jp morgan', ['J.P. Morgan']],
    ['j.p. morgan', ['JP Morgan']],
    ['bar grill', ['Joe’s Bar/Grill']],
    ['yahoo', ['Yahoo!']],
    ['"navy yard"', ['Navy Yard']],
    // Suffixes of generations, titles and companies.
    ['king jr', ['Martin L. King, Jr.']],
    ['king jr.', ['Martin L. King Jr']],
    ['henry viii', ['Henry VIII']],
    ['de la cruz', ['María de la Cruz']],
    ['delacruz', ['Maria Dela-Cruz']],
    ['van der berg', ['Jan van der Berg']],
    ['llc harbor', ['Harbor Coffee, L.L.C.']],
    ['s.r.l.', ['Rossi SRL']],
    // Scripts without spaces, Hangul and Devanagari.
    ['東京', ['東京都渋谷区']],
    ['渋谷', ['東京都渋谷区']],
    ['田中', ['田中商店']],
    ['商店', ['田中商店']],
    ['ラーメン', ['札幌ラーメン']],
    ['ﾗｰﾒﾝ', ['札幌ラーメン']],
    ['咖啡', ['上海咖啡馆']],
    ['กาแฟ', ['ร้านกาแฟกรุงเทพ']],
    ['김', ['김치찌개']],
    ['김치', ['김치찌개']],
    ['शर्मा', ['राज शर्मा']],
    // Spaces around and between words.
    ['José ', ['José']],
    ['  navy\u00a0  yard\t', ['Navy  Yard']],
    // Numbers and ids, in any case.
    ['tkt-000042', ['TKT-000042']],
    ['TKT000042', ['TKT-000042']],
    ['app_7f3K', ['app_7f3k9d']],
    ['4445012345678', ['4445012345678']],
  ])('%s', (search, texts) => {
    expect(finds(search, ...texts)).toBe(true);
  });

  test.each([
    ['nez', ['Núñez']],
    ['jose perez', ['José', 'Núñez']],
    ['josé núñezz', ['José', 'Núñez']],
    ['smith', ['Goldsmith']],
    ['京', ['東京']],
    ['undefined', ['']],
    ['ada@example.org', ['ada@example.com', 'Organic Foods']],
    ['bob@example.com', ['ada@example.com', 'Bob']],
  ])('%s does not find %s', (search, texts) => {
    expect(finds(search, ...texts)).toBe(false);
  });

  test('the beginnings of words of a text, in any case and order, find the text', () => {
    const word = fc.stringMatching(/^[\p{Lu}\p{Ll}\d]{1,8}$/u);
    fc.assert(
      fc.property(fc.array(fc.tuple(word, fc.nat(7)), { minLength: 1, maxLength: 5 }), (words) => {
        const text = words.map(([whole]) => whole).join(' ');
        const typed = words.map(([whole, more]) => [...whole].slice(0, 1 + more).join(''));
        expect(finds(typed.reverse().join(' '), text)).toBe(true);
      }),
    );
  });
});

describe('a search finds email addresses', () => {
  test.each([
    'zed.shop@example.com',
    'Zed.Shop@Example.COM',
    'zed.shop',
    'zed',
    'example.com',
    '@example.com',
    'zed.shop@exam',
  ])('%s', (search) => {
    expect(finds(search, 'Zed.Shop@Example.com')).toBe(true);
  });
});

describe('a search finds telephone numbers', () => {
  const findsPhone = (search: string, phone: string): boolean =>
    matchesTerms(searchWordsOf(search), phoneTermsOf(phone));

  test.each([
    ['4155550134', '(415) 555-0134'],
    ['555-0134', '(415) 555-0134'],
    ['5550134', '+1 415 555 0134'],
    ['0134', '(415) 555-0134'],
    ['(415) 555-0134', '+14155550134'],
    ['415 555 0134', '+1 (415) 555-0134'],
    ['415.555.0134', '4155550134'],
    ['+1 415 555 0134', '+1 (415) 555-0134'],
    ['+1-415-555-0134', '1.415.555.0134'],
    ['415 555', '+1 (415) 555-0134'],
    ['301 234 567', '+49 301 234567'],
    ['030 1234567', '+49 30 1234567'],
    ['0049 30 1234567', '+49 30 1234567'],
    ['+49 (0)30 1234567', '+49 30 1234567'],
    ['020 7946 0958', '+44 20 7946 0958'],
    ['4155550134', '(415) 555-0134 ext. 12'],
    ['４１５５５５０１３４', '(415) 555-0134'],
    ['+1 415 555 0134', '(415) 555-0134'],
    ['14155550134', '(415) 555-0134'],
    ['+49 30 1234567', '030 1234567'],
    ['+353 1 234 5678', '01 234 5678'],
  ])('%s finds %s', (search, phone) => {
    expect(findsPhone(search, phone)).toBe(true);
  });

  test.each([
    ['4155550135', '(415) 555-0134'],
    ['134', '(415) 555-0134'],
    ['415 555 0999', '(415) 555-0134'],
  ])('%s does not find %s', (search, phone) => {
    expect(findsPhone(search, phone)).toBe(false);
  });
});

describe('a search in an account of a country', () => {
  const finds = (search: string, stored: string, country: string): boolean =>
    matchesTerms(searchWordsOf(search, country), termsOfValue(stored));

  test.each([
    ['DK', '+45 32 12 70 27', '32 12 70 27'],
    ['DK', '+4532127027', '32 12 70 27'],
    ['DK', '0045 32127027', '32127027'],
    ['DK', '32 12 70 27', '0045 32 12 70 27'],
    ['DK', '+45 32 12 70 27', '0045 32 12 70 27'],
    ['NO', '+47 22 12 34 56', '22 12 34 56'],
    ['SG', '+65 6123 4567', '6123 4567'],
    ['AT', '+43 1 234567', '01 234567'],
    ['NZ', '+64 3 345 6789', '03 345 6789'],
    ['DE', '+49 30 123456', '030 123456'],
    ['DE', '030 123456', '+49 (0)30 123456'],
    ['US', '(212) 555-7027 ext. 12', '(212) 555-7027 ext. 12'],
    ['US', '(212) 555-7027 ext. 12', '+1 212 555 7027'],
    ['US', '212-555-7027 x12', '(212) 555-7027'],
    ['US', 'Tel.: (212) 555-7027', 'Tel.: (212) 555-7027'],
    ['US', 'Tel.: (212) 555-7027', '2125557027'],
    ['US', '2125557027', 'Tel.: (212) 555-7027'],
    ['US', 'tel:+12125557027', '(212) 555-7027'],
    ['US', '212 555 7027', 'tel:+1-212-555-7027;ext=12'],
    ['US', 'tel:+1-212-555-7027;ext=12', 'tel:+1-212-555-7027;ext=12'],
    ['US', 'Mary: (212) 555-7027', 'Mary: (212) 555-7027'],
    ['US', '2125557027', 'Mary: (212) 555-7027'],
    ['US', '(212) 555-7027 (home)', '212 555 7027'],
    ['US', 'Phone 4', 'Phone 4'],
  ])('%s: %s finds %s', (country, search, stored) => {
    expect(finds(search, stored, country)).toBe(true);
  });

  test.each([
    ['US', '+45 32 12 70 27', '32 12 70 27'],
    ['DK', '+46 32 12 70 27', '32 12 70 27'],
    ['DK', '+1 453 212 7027', '32 12 70 27'],
    ['US', 'Phone 4', 'Model 4'],
    ['US', 'Ada (212) 555-7027', 'Mary: (212) 555-7027'],
  ])('%s: %s does not find %s', (country, search, stored) => {
    expect(finds(search, stored, country)).toBe(false);
  });

  test.each([
    ['DK', '32 12 70 27', '+4532127027'],
    ['DK', '45 32 12 70 27', '0045 32127027'],
    ['DE', '030 1234567', '+49 (0)30 1234567'],
    ['BR', '(11) 91234-5678', '+55 11 91234-5678'],
    ['CN', '139 1234 5678', '+86 13912345678'],
    ['IT', '06 1234 5678', '+39 06 12345678'],
    ['US', '1 (212) 555-0199 ext. 4', 'Tel.: +1 212 555 0199'],
  ])('%s: %s and %s are the same number', (country, one, other) => {
    expect(internationalDigits(one, country)).toBe(internationalDigits(other, country));
  });

  /** In these countries, mobile numbers within the country have digits that depend on the number. */
  const irregular = ['AR', 'BY', 'TM'];

  test('in every other country, an example of a number is the same with and without the country code', () => {
    for (const country of getCountries()) {
      const example = getExampleNumber(country, examples);
      if (!example || irregular.includes(country)) continue;
      const [national, international] = [example.formatNational(), example.formatInternational()];
      expect(internationalDigits(national, country), `${country} ${national}`).toBe(example.number.slice(1));
      expect(finds(international, national, country), `${country} ${international} ${national}`).toBe(true);
      expect(finds(national, international, country), `${country} ${national} ${international}`).toBe(true);
      expect(finds(example.number, national, country), `${country} ${example.number}`).toBe(true);
    }
  });

  test('1,000 hostile searches of 200 characters take less than 10 s of CPU time', () => {
    const hostile = [
      '1'.repeat(200),
      '+1 (2tel 3x4 '.repeat(16).slice(0, 200),
      'tel1'.repeat(50),
      '1 '.repeat(100),
    ];
    const before = process.cpuUsage();
    for (let n = 0; n < 250; n++) for (const text of hostile) searchWordsOf(text, 'US');
    expect(process.cpuUsage(before).user / 1_000).toBeLessThan(10_000);
  });
});

describe('both spellings of a letter', () => {
  const names = [
    ['Müller', 'Mueller', 'Muller'],
    ['Sørensen', 'Soerensen', 'Sorensen'],
    ['Ångström', 'Aangstroem', 'Angstrom'],
    ['Bäcker-Süß', 'Baecker-Suess', 'Backer-Suss'],
    ['Åse Løkke', 'Aase Loekke', 'Ase Lokke'],
  ] as const;

  test.each(names)('%s is found as %s and %s in every Unicode form', (name, spelled, plain) => {
    for (const form of ['NFC', 'NFD', 'NFKC', 'NFKD']) {
      const stored = name.normalize(form);
      for (const search of [spelled, plain, name, name.normalize('NFD'), spelled.toUpperCase()]) {
        expect(finds(search, stored), `${search} finds ${form}`).toBe(true);
        expect(isAnyOf<{ name: string }>('name', [search])({ name: stored }), search).toBe(true);
        expect(applies(search, stored), search).toBe(true);
      }
      expect(finds(stored, spelled)).toBe(true);
      expect(finds(stored, plain)).toBe(true);
      expect(finds(spelled.slice(0, 3), stored)).toBe(true);
      expect(isAnyOf<{ name: string }>('name', [stored])({ name: spelled })).toBe(true);
      expect(applies(stored, spelled)).toBe(true);
    }
    expect(finds(spelled, plain)).toBe(false);
    expect(isAnyOf<{ name: string }>('name', [spelled])({ name: plain })).toBe(false);
    expect(applies(spelled, plain)).toBe(false);
  });

  /** Reports whether a rule with `among` applies to a value. */
  function applies(listed: string, stored: string): boolean {
    const { condition } = parseCondition({ field: 'basics.dbaCity', among: [listed] });
    const form = { businessOwners: [], basics: { dbaCity: stored } };
    return evaluate(condition, { form }).holds === true;
  }

  test('add terms and values only to texts with such a letter, and displace no other word', () => {
    const fields = indexedFields<{ name: string; text: string }>({
      fields: { name: ['value', 'search'], text: ['text'] },
    });
    const words = Array.from({ length: 8 }, (_, n) => `süß${n}`);
    const terms = searchTermsOf(fields, { name: 'José Müller', text: words.join(' ') });
    expect([...terms.keys()].slice(0, 3)).toEqual(['jose', 'muller', 'mueller']);
    for (const n of words.keys()) expect(terms.has(`suss${n}`)).toBe(true);
    expect(valuesOf(fields, { name: 'José Müller', text: '' }, 'name')).toEqual([
      'jose muller',
      'jose mueller',
    ]);
    for (const name of ['José', 'Łódź', 'Nuñez', 'Straße', 'Mueller'])
      expect(valuesOf(fields, { name, text: '' }, 'name')).toHaveLength(1);
  });
});

test('filters compare texts without case, accents and spaces around words', () => {
  expect(foldWords('  Navy \u00a0 Yárd ')).toBe('navy yard');
  fc.assert(
    fc.property(fc.string({ unit: codePoint }), (text) => foldWords(foldWords(text)) === foldWords(text)),
  );
});

test('a long text is found by its words with digits and by its longest words, a short text by each word', () => {
  const fields = { names: ['name'], texts: ['text'], values: [] } as const;
  const termsIn = (text: string) => [...searchTermsOf(fields, { name: 'Ada', text }).keys()].slice(1);
  const long = ['Please', 'send', 'them', 'the', 'replacement', 'terminal', 'TX-4100', 'and', 'two', 'rolls'];
  expect(termsIn(`${long.join(' ')} of thermal paper before Wednesday to Harborside`).sort()).toEqual(
    ['4100', 'harborside', 'replacement', 'terminal', 'thermal', 'tx4100', 'wednesday', 'please'].sort(),
  );
  expect(termsIn('Call Ada after the lunch rush')).toEqual(['call', 'after', 'the', 'lunch', 'rush']);
});

test('an email address is found by its beginning and its domain, and a telephone number from both ends', () => {
  const found = (search: string, stored: string) => matchesTerms(searchWordsOf(search), termsOfValue(stored));
  const address = 'ada.byron@mail.example.com';
  for (const search of [address, 'ada.byron@mail', 'ada.by', 'mail.example', 'mail.example.com', '@mail.ex'])
    expect(found(search, address), search).toBe(true);
  for (const search of ['byron', 'com', 'adabyron']) expect(found(search, address), search).toBe(false);
  for (const search of ['+1 415 555 0134', '14155550134', '415-555-0134', '(415) 555', '0134', '5550134'])
    expect(found(search, '+1 (415) 555-0134'), search).toBe(true);
});

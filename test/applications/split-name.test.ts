import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { splitName } from '../../shared/sales/value-checks/split-name.ts';

describe('a name', () => {
  test.each([
    ['Ada Byron', 'Ada', 'Byron'],
    ['  Ada \t Byron ', 'Ada', 'Byron'],
    ['ADA BYRON', 'ADA', 'BYRON'],
    ['Jean-Luc Picard', 'Jean-Luc', 'Picard'],
    ["D’Angelo O'Neil", 'D’Angelo', "O'Neil"],
    ['J Smith', 'J', 'Smith'],
    ['John A. Smith', 'John A.', 'Smith'],
    ['J. R. R. Tolkien', 'J. R. R.', 'Tolkien'],
    ['J.R.R. Tolkien', 'J.R.R.', 'Tolkien'],
    ['Jack Ma', 'Jack', 'Ma'],
    ['JACK MA', 'JACK', 'MA'],
    ['Minh Le', 'Minh', 'Le'],
    ['Al Pacino', 'Al', 'Pacino'],
    // Suffixes
    ['Robert Downing Jr.', 'Robert', 'Downing Jr.'],
    ['Robert Downing, Jr.', 'Robert', 'Downing Jr.'],
    ['Robert Downing Sr', 'Robert', 'Downing Sr'],
    ['Henry Ford II', 'Henry', 'Ford II'],
    ['John Smith III', 'John', 'Smith III'],
    ['John Smith, MD', 'John', 'Smith'],
    ['John Smith Jr., M.D., Ph.D.', 'John', 'Smith Jr.'],
    ['John Smith Esq.', 'John', 'Smith'],
    // Titles
    ['Dr. John Smith', 'John', 'Smith'],
    ['Mrs Grace B. Hopper', 'Grace B.', 'Hopper'],
    ['Sr. Juan Perez', 'Juan', 'Perez'],
    // Commas
    ['Smith, John', 'John', 'Smith'],
    ['Smith,John', 'John', 'Smith'],
    ['Byron , Ada', 'Ada', 'Byron'],
    ['Smith, Mary Ann', 'Mary Ann', 'Smith'],
    ['García Márquez, Gabriel', 'Gabriel', 'García Márquez'],
    ['Downing, Robert, Jr.', 'Robert', 'Downing Jr.'],
    ['Downing Jr., Robert', 'Robert', 'Downing Jr.'],
    ['Smith, Dr. John', 'John', 'Smith'],
    ['de la Cruz, Juan Carlos', 'Juan Carlos', 'de la Cruz'],
    // Particles
    ['Ludwig van der Berg', 'Ludwig', 'van der Berg'],
    ['Maria de la Cruz', 'Maria', 'de la Cruz'],
    ['Juan C. de la Cruz', 'Juan C.', 'de la Cruz'],
    ['Dick Van Dyke', 'Dick', 'Van Dyke'],
    ['Ryan Mc Donald', 'Ryan', 'Mc Donald'],
    ['John St. Clair', 'John', 'St. Clair'],
  ])('%s is split into its first and last name', (name, firstName, lastName) => {
    expect(splitName(name)).toEqual({ firstName, lastName, certain: true });
  });

  test.each([
    ['one word', ['Pelé', '山田太郎', 'Mr Smith', 'Robert Jr.', 'Conner PhD', 'Smith,', 'Jr.', 'Dr.']],
    [
      'a middle name that may be a family name',
      ['Mary Ann Smith', 'Gabriel García Márquez', 'Maria del Carmen García'],
    ],
    ['only a family name with particles', ['van der Berg', 'De Niro']],
    ['the family name first', ['Nguyen Van Anh', 'NGUYEN THI MAI']],
    ['an initial as the last word', ['Smith J.', 'John V']],
    ['another script', ['Иван Петров', '山田 太郎']],
    ['two persons', ['John & Jane Smith', 'John and Jane', 'Ada Byron, Grace Hopper', 'Smith, John, Jane']],
    ['a company or an officer', ['Harbor LLC', 'Harbor Holdings', 'Ada Byron, CEO', 'Byron, President']],
    ['other characters', ['Robert "Bob" Smith', 'John Smith 3rd', 'Ada Byron (Countess)', '. .', '- -']],
  ])('with %s is not split', (_, names) => {
    for (const name of names) expect(splitName(name), name).toEqual({ lastName: name, certain: false });
  });

  test('that is empty has no parts', () => {
    expect(splitName(' ')).toEqual({ certain: false });
  });

  const word = fc.stringMatching(/^[B-Z][bhkqwxz]{3,8}$/);
  const parts = fc.record({
    given: word,
    initials: fc.array(fc.constantFrom('A.', 'B', 'J.'), { maxLength: 2 }),
    particles: fc.constantFrom([], ['van'], ['van', 'der'], ['De', 'La'], ['von']),
    family: word,
    generation: fc.constantFrom('', 'Jr.', 'III'),
    title: fc.constantFrom('', 'Dr.', 'Mrs'),
  });

  test('has the same parts in natural order and as "Last, First"', () => {
    fc.assert(
      fc.property(parts, ({ given, initials, particles, family, generation, title }) => {
        const [first, last] = [
          [given, ...initials],
          [...particles, family],
        ];
        const joined = (words: string[]) => words.filter((one) => one !== '').join(' ');
        const whole = { firstName: joined(first), lastName: joined([...last, generation]), certain: true };
        expect(splitName(joined([title, ...first, ...last, generation]))).toEqual(whole);
        expect(splitName(`${joined(last)}, ${joined([...first, generation])}`)).toEqual(whole);
        expect(splitName(`${joined([...last, generation])}, ${joined([title, ...first])}`)).toEqual(whole);
      }),
    );
  });

  test('loses and gains no words except titles and degrees, for any text', () => {
    const text = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc
        .array(fc.oneof(word, fc.constantFrom(',', 'Jr.', 'van', 'de', 'Dr.', 'MD', 'A.', '&', 'Nguyen')), {
          maxLength: 7,
        })
        .map((words) => words.join(' ')),
    );
    const wordsOf = (name: string) => name.split(/[\s,]+/).filter((one) => one !== '');
    fc.assert(
      fc.property(text, (name) => {
        const { firstName = '', lastName = '', certain } = splitName(name);
        if (!certain) {
          expect([firstName, lastName]).toEqual(['', name.trim()]);
          return;
        }
        const kept = wordsOf(`${firstName} ${lastName}`).toSorted();
        expect(kept).toEqual(
          wordsOf(name)
            .filter((one) => !/^(Dr\.|MD)$/.test(one))
            .toSorted(),
        );
      }),
      { numRuns: 1000 },
    );
  });
});

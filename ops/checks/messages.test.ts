import { describe, expect, it } from 'vitest';
import { hasWords, problemsOf, styleProblemsOf } from './messages.ts';

describe('a translation', () => {
  it.each([
    ['Save', 'Speichern', 'de', []],
    ['Hello {name}', 'Hallo {name}', 'de', []],
    ['Hello {name}', 'Hallo', 'de', ['lacks {name} (argument)']],
    ['Hello', 'Hallo {nome}', 'de', ['has {nome}, which has no value']],
    ['{n, number}', '{n}', 'de', ['lacks {n} (number)']],
    ['Hello', ' ', 'de', ['is empty']],
    ['<b>Hi</b>', 'Hallo', 'de', ['lacks {b} (tag)']],
  ])('%j as %j in %s', (original, translation, tag, problems) => {
    expect(problemsOf(original, translation, tag)).toEqual(problems);
  });

  it('needs the plural forms of its own language, not of the original', () => {
    const original = '{n, plural, one {# face} other {# faces}}';
    expect(problemsOf(original, '{n, plural, other {顔 # 個}}', 'ja')).toEqual([]);
    expect(problemsOf(original, '{n, plural, one {# лицо} other {# лица}}', 'ru')).toEqual([
      "{n} lacks the form 'few'",
      "{n} lacks the form 'many'",
    ]);
  });

  it('that can’t be parsed is one problem', () => {
    expect(problemsOf('a {n}', 'a {n', 'de')).toHaveLength(1);
  });
});

describe('the style of a translation', () => {
  it.each([
    ['Bis 50\u00a0MB', 'de', []],
    ['Bis 50 MB', 'de', ['may break between a number and its unit']],
    ['Bis {size, number} MB', 'de', ['may break between a number and its unit']],
    ['50 Schritte', 'de', []],
    ["l'original", 'fr', ['has a typewriter apostrophe']],
    ['le "look"', 'fr', ['has typewriter quotes']],
    ['Combien ?', 'fr', ['may break before punctuation']],
    ['Combien\u202f?', 'fr', []],
    ['Wie ?', 'de', []],
    ['Gratis fino al {date}', 'it', ['has an article that some dates elide']],
    ['Gratis fino al giorno {date}', 'it', []],
    ['Gratis hasta el {date}', 'es-419', []],
    ['Plus de 10 000', 'fr', ['may break within a number']],
    ['Ответ — фото', 'ru', ['may begin a line with a dash']],
    ['Ответ\u00a0— фото', 'ru', []],
    ['Chave do plug-in', 'pt-BR', ['may break after the hyphen of plug-in or e-mail']],
    ['Diese E-Mail', 'de', ['may break after the hyphen of plug-in or e-mail']],
    ['Chave do plug\u2011in', 'pt-BR', []],
    ['Plus de 10\u202f000', 'fr', []],
  ])('of %j in %s', (translation, tag, problems) => {
    expect(styleProblemsOf(translation, tag)).toEqual(problems);
  });

  it('avoids words of its glossary in any case', () => {
    const avoided = { business: 'Negocios' };
    expect(styleProblemsOf('Con Business', 'es-419', avoided)).toEqual(['says “business” instead of “Negocios”']);
    expect(styleProblemsOf('<business>Con Negocios</business>', 'es-419', avoided)).toEqual([]);
  });
});

it('detects messages without words', () => {
  expect(['JPEG', '{a} × {b}', '50 %'].map(hasWords)).toEqual([true, false, false]);
});

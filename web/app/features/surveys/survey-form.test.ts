import { expect, test } from 'vitest';
import { parseSurvey } from './survey-form';

const parse = (survey: 'feature_ranking' | 'onboarding', fields: Record<string, string>) =>
  parseSurvey(new URLSearchParams(fields), survey);

const invalidFields = (...given: Parameters<typeof parse>) => Object.keys(parse(...given).reply().error ?? {});

test('three different features are a ranking', () => {
  const ranking = { first: 'speed', second: 'faces', third: 'video' };
  expect(parse('feature_ranking', ranking)).toMatchObject({ status: 'success', value: ranking });
});

test.each([
  [{ first: 'faces', second: 'faces', third: 'video' }, ['second']],
  [{ first: 'faces', second: 'color', third: 'faces' }, ['third']],
  [{ first: '', second: 'color', third: 'mail' }, ['first', 'third']],
])('another one is invalid: %j', (ranking, fields) => {
  expect(invalidFields('feature_ranking', ranking)).toEqual(fields);
});

test('each onboarding question has an answer of its own', () => {
  const answers = { editingLevel: 'some', knowledge: 'new', photoType: 'old', purpose: 'memories', source: 'ad' };
  expect(parse('onboarding', answers)).toMatchObject({ status: 'success', value: answers });
  expect(invalidFields('onboarding', { ...answers, source: 'old', purpose: '' })).toEqual(['purpose', 'source']);
});

import { expect, test } from 'vitest';
import { parseSurvey } from './survey-form';

const parse = (survey: 'feature_ranking' | 'onboarding', fields: Record<string, string>) =>
  parseSurvey(new URLSearchParams(fields), survey);

test('three different features are a ranking', () => {
  const ranking = { first: 'speed', second: 'faces', third: 'video' };
  expect(parse('feature_ranking', ranking)).toMatchObject({ status: 'success', value: ranking });
});

test.each([
  [{ first: 'faces', second: 'faces', third: 'video' }, ['second']],
  [{ first: 'faces', second: 'color', third: 'faces' }, ['third']],
  [{ first: '', second: 'color', third: 'mail' }, ['first', 'third']],
])('another one is invalid: %j', (ranking, fields) => {
  expect(Object.keys(parse('feature_ranking', ranking).error ?? {})).toEqual(fields);
});

test('each onboarding question has an answer of its own', () => {
  const answers = { editingLevel: 'some', knowledge: 'new', photoType: 'old', purpose: 'memories', source: 'ad' };
  expect(parse('onboarding', answers)).toMatchObject({ status: 'success', value: answers });
  expect(Object.keys(parse('onboarding', { ...answers, source: 'old', purpose: '' }).error ?? {})).toEqual([
    'purpose',
    'source',
  ]);
});

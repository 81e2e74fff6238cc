import { describe, expect, it } from 'vitest';
import messages from '../../../../locales/en/support.json';
import { ANSWER_LINKS, questionGroups } from './questions';

const { title, lead, description, groups, ...answers } = messages.help;

const idsWith = (trial: boolean): readonly string[] =>
  questionGroups({ has: { pluginKey: true, trial } }).flatMap(({ questions }) => questions.map(({ id }) => id));

describe('the questions of the help page', () => {
  it('have every answer of the messages, once', () => {
    const ids = idsWith(true);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toEqual(expect.arrayContaining(Object.keys(answers)));
  });

  it('say what the plans and payments of spec 1 may cost', () => {
    expect(idsWith(true)).toEqual(
      expect.arrayContaining(['trialEnd', 'trialUpgrade', 'restart', 'firstPayment', 'forfeit', 'tax', 'withdrawal']),
    );
  });

  it('say nothing of trials while none is offered', () => {
    expect(idsWith(false).filter((id) => id.startsWith('trial'))).toEqual([]);
  });

  it('link only known pages', () => {
    const linked = Object.values(answers).flatMap((words) =>
      'answer' in words ? [...words.answer.matchAll(/<(\w+)>/g)].map(([, name]) => name) : [],
    );
    expect(Object.keys(ANSWER_LINKS)).toEqual(expect.arrayContaining([...new Set(linked)]));
  });
});

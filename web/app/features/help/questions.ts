import type { Messages } from '../../i18n/messages';
import type { HelpData } from './help.server';

type SupportKey = Exclude<keyof Messages['support']['help'], 'title' | 'lead' | 'description' | 'groups'>;

/** A question whose words another page has, too. */
type SharedQuestion =
  | { readonly from: 'home'; readonly key: 'free' | 'privacy' | 'truth' | 'size' }
  | { readonly from: 'tiers'; readonly key: 'trial' | 'cancel' | 'change' | 'weeks' };

export type Question = { readonly id: string } & (
  | SharedQuestion
  | { readonly from: 'support'; readonly key: SupportKey }
);

/** URLs of the links in answers: pages where a visitor does what the answer says. */
export const ANSWER_LINKS = {
  contact: '/help/contact?source=help',
  guide: '/developers',
  account: '/account/general',
  subscription: '/account/subscription',
  limits: '/account/limits',
  plugin: '/plugin',
  tax: '/terms#tax',
};

interface QuestionGroup {
  readonly id: 'photos' | 'plans' | 'business' | 'privacy';
  readonly questions: readonly Question[];
}

const home = (id: string, key: 'free' | 'privacy' | 'truth' | 'size'): Question => ({ id, from: 'home', key });
const tiers = (id: string, key: 'trial' | 'cancel' | 'change' | 'weeks'): Question => ({ id, from: 'tiers', key });
const own = (key: SupportKey): Question => ({ id: key, from: 'support', key });

/** Only what the visitor can use; the ids are fragments of the page's address. */
export function questionGroups({ has }: Pick<HelpData, 'has'>): readonly QuestionGroup[] {
  return [
    {
      id: 'photos',
      questions: [
        home('truth', 'truth'),
        own('formats'),
        home('size', 'size'),
        own('video'),
        own('oldPhotos'),
        own('failed'),
      ],
    },
    {
      id: 'plans',
      questions: [
        home('free', 'free'),
        own('downloads'),
        own('forfeit'),
        ...(has.trial ? [tiers('trial', 'trial'), own('trialEnd'), own('trialUpgrade')] : []),
        tiers('cancel', 'cancel'),
        own('restart'),
        own('refunds'),
        own('withdrawal'),
        tiers('change', 'change'),
        tiers('weeks', 'weeks'),
        own('firstPayment'),
        own('tax'),
      ],
    },
    {
      id: 'business',
      questions: [own('batch'), ...(has.pluginKey ? [own('plugin')] : [])],
    },
    { id: 'privacy', questions: [home('privacy', 'privacy'), own('training'), own('data')] },
  ];
}

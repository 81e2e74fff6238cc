import { read } from '../../http/browser-client';
import { readStored, writeStored } from '../../telemetry/storage';
import { track } from '../../telemetry/telemetry';
import type { Modals } from '../modals/create-modals';
import type { AskedConsent } from './consent-address';

/**
 * Each consent's modal, the key that counts its questions in this browser (spec 1, section 4), and its name in events.
 */
const QUESTIONS = {
  marketing: {
    modal: 'consent:marketing',
    countKey: 'clearframe:marketing-consent-shows',
    name: 'marketing',
  },
  imageTraining: {
    modal: 'consent:image-training',
    countKey: 'clearframe:image-training-consent-shows',
    name: 'image_training',
  },
} as const satisfies Record<AskedConsent, object>;

const shows = (consent: AskedConsent): number => Number(readStored('localStorage', QUESTIONS[consent].countKey) ?? 0);

/** Asks a member for a consent they haven't given, once per browser. */
export async function askForConsent(consent: AskedConsent, open: Modals['open'], known?: FollowUp): Promise<void> {
  if (shows(consent) > 0) return;
  const { asksFor } = known ?? (await fetchFollowUp());
  // Another download may have asked meanwhile.
  if (!asksFor.includes(consent) || shows(consent) > 0) return;
  writeStored('localStorage', QUESTIONS[consent].countKey, shows(consent) + 1);
  const { modal, name } = QUESTIONS[consent];
  const outcome = await open(modal, {});
  track('consent', { consent: name, action: outcome === 'accepted' ? 'accepted' : 'not_accepted' });
}

/** What a new member is asked after declining the plans. */
export async function askNewcomer(open: Modals['open']): Promise<void> {
  const state = await fetchFollowUp();
  await askForConsent('marketing', open, state);
  if (state.hasSurvey) await open('survey:onboarding', { step: 'ongoing' });
}

export interface FollowUp {
  readonly asksFor: readonly AskedConsent[];
  readonly offersPluginKey: boolean;
  /** The onboarding survey pops up and has not been answered in this browser. */
  readonly hasSurvey: boolean;
}

const NOTHING: FollowUp = { asksFor: [], offersPluginKey: false, hasSurvey: false };

/** What may be asked of and offered to the visitor; never an error message. */
export const fetchFollowUp = (): Promise<FollowUp> => read<FollowUp>('/consents/state').catch(() => NOTHING);

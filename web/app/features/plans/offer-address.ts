import type { OffersView } from './offers.server';

/** Calls to action for a plan (spec 1, section 2). */
export const CALLS_TO_ACTION = [
  'batch',
  'video',
  'video_limit',
  'video_week',
  'formats',
  'downloads',
  'premium_models',
  'business_models',
] as const;
export type CallToAction = (typeof CALLS_TO_ACTION)[number];

export interface OfferData {
  readonly isGuest: boolean;
  readonly offers: OffersView | null;
  readonly resetsAt: string | null;
}

export interface OfferProps {
  readonly topic: CallToAction;
  readonly taskId?: string | null;
  /** One photo can be enhanced without the offer. */
  readonly hasSingle?: boolean;
  /** The opener continues after a login. Otherwise the offer opens the login itself. */
  readonly continuesAfterLogin?: boolean;
  readonly data?: OfferData;
}

export const offerAddress = ({ topic, taskId }: Pick<OfferProps, 'topic' | 'taskId'>): string =>
  `/offer/${topic}${taskId ? `?taskId=${taskId}` : ''}`;

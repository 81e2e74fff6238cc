import type { OfferTopic } from '../../upload/decision/decide-upload';
import type { OffersView } from '../plans/offers';

export interface OfferProps {
  readonly topic: OfferTopic;
  readonly isGuest: boolean;
  /** One photo can be enhanced without the offer. */
  readonly hasSingle: boolean;
  /** Null when they couldn't be loaded. */
  readonly offers: OffersView | null;
}

export const offerAddress = ({ topic }: Pick<OfferProps, 'topic'>): string => `/offer/${topic}`;

import type { SubmissionResult } from '@conform-to/dom';
import type { ModalRegistry } from '../modals/catalogue';
import { type SurveyStep, surveyAddress } from './survey/survey-address';

declare module '../modals/catalogue' {
  interface SurveyModalProps {
    readonly step: SurveyStep;
    /** State of the form that the page's action refused. */
    readonly result?: SubmissionResult | null;
  }
  interface ModalCatalogue {
    /** Ranks features, before the upload of a subscriber. */
    readonly 'survey:features': Modal<SurveyModalProps, 'answered' | 'declined'>;
    /** Asks a new account what it wants to enhance. */
    readonly 'survey:onboarding': Modal<SurveyModalProps, 'answered' | 'declined'>;
  }
}

export const HELP_MODALS: ModalRegistry<'survey:features' | 'survey:onboarding'> = {
  'survey:features': {
    address: ({ step }) => surveyAddress('feature_ranking', step),
    load: async () => (await import('./survey/feature-ranking')).FeatureRankingModal,
    sections: ['surveys'],
  },
  'survey:onboarding': {
    address: ({ step }) => surveyAddress('onboarding', step),
    load: async () => (await import('./survey/onboarding-survey')).OnboardingSurveyModal,
    sections: ['surveys'],
  },
};

import type { ErrorCode, LoginProvider } from '@clearframe/contract';
import type { SubmissionResult } from '@conform-to/dom';
import type { ErasureView } from './features/account/erasure-view.server';
import { type ForfeitProps, forfeitAddress } from './features/checkout/forfeit-address';
import { CONSENT_ADDRESSES, DECLINED_ADDRESS } from './features/consents/consent-address';
import { type Downloads, downloadAddress } from './features/history/downloads';
import type { FailureMessage } from './features/login/failures';
import { linkingAddress } from './features/login/login-address';
import type { LoginDone } from './features/login/login-flow';
import type { ModalRegistry } from './features/modals/catalogue';
import { onboardingAddress } from './features/onboarding/onboarding-address';
import type { OnboardingOptions } from './features/onboarding/steps';
import { type OfferProps, offerAddress } from './features/plans/offer-address';
import type { OffersView } from './features/plans/offers.server';
import { type PaywallProps, paywallAddress } from './features/plans/paywall-address';
import { editAddress, revokeAddress } from './features/plugin-keys/key-address';
import type { EditKeyProps, PluginKeyView } from './features/plugin-keys/plugin-keys';
import { SECRET_MENU_ADDRESS } from './features/secret-menu/secret-menu-view';
import type { ShareLink } from './features/sharing/share-modal';
import type { AboutTopic } from './features/shell/about-topics';
import { cancelAddress, type SubscriptionKey } from './features/subscription/cancel-address';
import { type SurveyStep, surveyAddress } from './features/surveys/survey-address';
import { type UploadError, uploadErrorAddress } from './features/upload/upload-error';
import { type AccountSection, accountAddress } from './session/account-tabs';
import { COOKIES_ADDRESS } from './telemetry/answer-state';
import type { ConsentCategory } from './telemetry/consent-cookie';

declare module './features/modals/catalogue' {
  interface SurveyModalProps {
    readonly step: SurveyStep;
    /** State of the form that the page's action refused. */
    readonly result?: SubmissionResult | null;
  }
  interface ModalCatalogue {
    /** 'Upload media error' (spec 1, section 2). `goOn`: with the rest of the files; `choose`: other files. */
    readonly 'upload:error': Modal<UploadError, 'gotIt' | 'goOn' | 'choose'>;
    readonly 'user:login': Modal<{ readonly problem: FailureMessage | null; readonly isStep?: boolean }, 'loggedIn'>;
    /** The account exists under another provider; `original` is null when unknown. */
    readonly 'login:linking': Modal<
      { readonly attempted: LoginProvider; readonly original: LoginProvider | null },
      LoginProvider
    >;
    readonly 'login:different-email': Modal<{ readonly provider: LoginProvider | null }, 'link' | 'keepApart'>;
    readonly 'login:linking-failed': Modal<NoProps, 'gotIt'>;
    readonly 'login:not-supported': Modal<NoProps, 'gotIt'>;
    /** Log in, then the paywall. `member` is null before the login, `offers` until loaded. */
    readonly 'user:onboarding': Modal<
      OnboardingOptions & {
        readonly previousAction: string | null;
        readonly member: LoginDone | null;
        readonly offers: OffersView | null;
      },
      'loggedIn' | 'finished'
    >;
    readonly 'consent:marketing': Modal<NoProps, 'accepted' | 'notAccepted'>;
    readonly 'consent:image-training': Modal<NoProps, 'accepted' | 'notAccepted'>;
    /** Says that nothing changes. */
    readonly 'consent:image-training-declined': Modal<NoProps, 'gotIt'>;
    /** Says that Business includes a key for Photoshop. */
    readonly 'plugin-key:offer': Modal<NoProps, 'retrieve' | 'later'>;
    /** `problem`: why the form without a script changed nothing. */
    readonly 'plugin-key:edit': Modal<EditKeyProps, 'saved' | 'kept'>;
    readonly 'plugin-key:revoke': Modal<Pick<PluginKeyView, 'id' | 'prefix'>, 'revoked' | 'kept'>;
    readonly 'user:account': Modal<{ readonly tab: AccountSection }, never>;
    readonly 'account:erase': Modal<{ readonly erasure: ErasureView }, 'kept'>;
    /** `until`: formatted end of the subscription; null: at once. `other`: not the one that grants the plan. `problem`: why
     * the last try failed. */
    readonly 'subscription:cancel': Modal<
      { readonly until: string | null; readonly other: SubscriptionKey | null; readonly problem?: ErrorCode | null },
      'kept'
    >;
    readonly offer: Modal<OfferProps, 'single' | 'tryPhoto' | 'tryOut' | 'logIn'>;
    readonly 'billing:forfeit': Modal<ForfeitProps, 'kept'>;
    readonly redeemed: Modal<{ readonly until: string | null }, never>;
    readonly paywall: Modal<PaywallProps, 'later'>;
    readonly 'history:delete': Modal<{ readonly taskIds: readonly string[] }, 'kept'>;
    readonly 'history:download': Modal<Downloads, 'downloaded' | 'kept'>;
    /** `link` is loaded where it is absent; null: not shared. */
    readonly share: Modal<{ readonly taskId: string; readonly link?: ShareLink | null }, never>;
    /** Ranks features, before the upload of a subscriber. */
    readonly 'survey:features': Modal<SurveyModalProps, 'answered' | 'declined'>;
    /** Asks a new account what it wants to enhance. */
    readonly 'survey:onboarding': Modal<SurveyModalProps, 'answered' | 'declined'>;
    readonly about: Modal<{ readonly topic: AboutTopic }, 'gotIt'>;
    /** `agreed` on the page; over a page the script knows them. */
    readonly cookies: Modal<{ readonly agreed?: readonly ConsentCategory[] }, 'chosen'>;
    readonly language: Modal<NoProps, 'chosen'>;
    readonly 'secret-menu': Modal<NoProps, never>;
    readonly 'gallery:modal': Modal<NoProps, 'yes' | 'no'>;
    readonly 'gallery:modal[prevent-pop]': Modal<NoProps, 'yes' | 'no'>;
  }
}

/** All modals: their addresses without a script, and what a click loads. */
export const MODALS: ModalRegistry = {
  'upload:error': {
    address: uploadErrorAddress,
    load: async () => (await import('./features/upload/upload-error-modal')).UploadErrorModal,
  },
  'user:login': {
    address: () => '/login',
    load: async () => (await import('./features/login/login-modal')).LoginModal,
    sections: ['onboarding'],
  },
  'login:linking': {
    address: ({ attempted, original }) => linkingAddress(attempted, original),
    load: async () => (await import('./features/login/linking-modals')).LinkingModal,
    sections: ['onboarding'],
  },
  'login:different-email': {
    address: () => '/login/different-email',
    load: async () => (await import('./features/login/linking-modals')).DifferentEmailModal,
    sections: ['onboarding'],
  },
  'login:linking-failed': {
    address: () => '/login/linking-failed',
    load: async () => (await import('./features/login/linking-modals')).LinkingFailedModal,
    sections: ['onboarding'],
  },
  'login:not-supported': {
    address: () => '/login/not-supported',
    load: async () => (await import('./features/login/linking-modals')).NotSupportedModal,
    sections: ['onboarding'],
  },
  'user:onboarding': {
    address: onboardingAddress,
    load: async () => (await import('./features/onboarding/onboarding-modal')).OnboardingModal,
    sections: ['onboarding', 'tiers'],
  },
  'plugin-key:offer': {
    address: () => '/account/plugin-key/offer',
    load: async () => (await import('./features/plugin-keys/offer-modal')).PluginKeyOffer,
    sections: ['account'],
  },
  'plugin-key:edit': {
    address: ({ value }) => editAddress(value.id),
    load: async () => (await import('./features/plugin-keys/edit-modal')).EditKeyModal,
    sections: ['account'],
  },
  'plugin-key:revoke': {
    address: ({ id }) => revokeAddress(id),
    load: async () => (await import('./features/plugin-keys/revoke-modal')).RevokeKeyModal,
    sections: ['account'],
  },
  'consent:marketing': {
    address: () => CONSENT_ADDRESSES.marketing,
    load: async () => (await import('./features/consents/consent-modal')).MarketingConsentModal,
    sections: ['account'],
  },
  'consent:image-training': {
    address: () => CONSENT_ADDRESSES.imageTraining,
    load: async () => (await import('./features/consents/consent-modal')).ImageTrainingConsentModal,
    sections: ['account'],
  },
  'consent:image-training-declined': {
    address: () => DECLINED_ADDRESS,
    load: async () => (await import('./features/consents/consent-modal')).ImageTrainingDeclinedModal,
    sections: ['account'],
  },
  'user:account': {
    address: ({ tab }) => accountAddress(tab),
    load: async () => (await import('./features/account/account-modal')).AccountModal,
    sections: ['account', 'tiers'],
    size: 'tabs',
  },
  'account:erase': {
    address: () => '/account/erase',
    load: async () => (await import('./features/account/erase-modal')).EraseModal,
    sections: ['account'],
  },
  'billing:forfeit': {
    address: forfeitAddress,
    load: async () => (await import('./features/checkout/forfeit-modal')).ForfeitModal,
    sections: ['tiers'],
  },
  redeemed: {
    address: () => '/redeem/done',
    load: async () => (await import('./features/gift-codes/redeemed')).Redeemed,
    sections: ['account'],
  },
  'subscription:cancel': {
    address: ({ other }) => cancelAddress(other),
    load: async () => (await import('./features/subscription/cancel-modal')).CancelModal,
    sections: ['account'],
  },
  offer: {
    address: offerAddress,
    load: async () => (await import('./features/plans/offer-modal')).OfferModal,
    sections: ['tiers'],
  },
  paywall: {
    address: paywallAddress,
    load: async () => (await import('./features/plans/paywall')).Paywall,
    sections: ['tiers'],
    size: 'side',
  },
  'history:delete': {
    address: ({ taskIds }) => `/history/delete?${new URLSearchParams(taskIds.map((id) => ['taskId', id]))}`,
    load: async () => (await import('./features/history/history-modals')).DeleteModal,
    sections: ['account'],
  },
  'history:download': {
    address: ({ taskIds }) => downloadAddress(taskIds),
    load: async () => (await import('./features/history/history-modals')).DownloadModal,
    sections: ['account'],
  },
  share: {
    address: ({ taskId }) => `/share?${new URLSearchParams({ taskId })}`,
    load: async () => (await import('./features/sharing/share-modal')).ShareModal,
    sections: ['result'],
  },
  'survey:features': {
    address: ({ step }) => surveyAddress('feature_ranking', step),
    load: async () => (await import('./features/surveys/feature-ranking')).FeatureRankingModal,
    sections: ['surveys'],
  },
  'survey:onboarding': {
    address: ({ step }) => surveyAddress('onboarding', step),
    load: async () => (await import('./features/surveys/onboarding-survey')).OnboardingSurveyModal,
    sections: ['surveys'],
  },
  about: {
    address: ({ topic }) => `/about/${topic}`,
    load: async () => (await import('./features/shell/about')).AboutModal,
    size: 'wide',
  },
  cookies: {
    address: () => COOKIES_ADDRESS,
    load: async () => (await import('./features/cookies/cookies-modal')).CookiesModal,
    sections: ['onboarding'],
  },
  language: {
    address: () => '/language',
    load: async () => (await import('./features/language/language-modal')).LanguageModal,
    size: 'wide',
  },
  'secret-menu': {
    address: () => SECRET_MENU_ADDRESS,
    load: async () => (await import('./features/secret-menu/secret-menu-modal')).SecretMenuModal,
    sections: ['account'],
  },
  'gallery:modal': {
    address: () => '/ui/modals/modal',
    load: async () => (await import('./features/gallery/gallery-modal')).GalleryModal,
  },
  'gallery:modal[prevent-pop]': {
    address: () => '/ui/modals/modal',
    load: async () => (await import('./features/gallery/gallery-modal')).GalleryModal,
  },
};

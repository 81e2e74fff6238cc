import type { LoginProvider } from '@clearframe/contract';
import type { AccountPlace } from '../account/account-tabs';
import type { ErasureView } from '../account/account-view';
import type { FailureMessage } from '../identity/failures';
import type { LoginDone } from '../login/login-done';
import type { OnboardingOptions } from '../onboarding/steps';
import type { OffersView } from '../plans/offers';
import type { AboutTopic } from './about-topics';
import type { UploadErrorProps } from './upload-error-reasons';

/**
 * Every modal there is: what it is given, and what may be chosen in it beside closing it. Adding one means a line
 * here, a definition in `app/modals.ts` and a route that shows it as a page.
 */
export interface ModalCatalogue {
  /** Chooses the language of the pages. */
  readonly language: Modal<Empty, 'chosen'>;
  /** What happens to photos, how to read results, what can be sent. */
  readonly about: Modal<{ readonly topic: AboutTopic }, 'gotIt'>;
  /** 'Upload media error' (spec 1, section 2). */
  readonly 'upload:error': Modal<UploadErrorProps, 'gotIt'>;
  /** Log in or sign up; `problem` is what a login without script came to. */
  readonly 'user:login': Modal<{ readonly problem: FailureMessage | null }, 'loggedIn'>;
  /**
   * Get started: log in, then the paywall. `member` is who is logged in already, null for nobody; `offers` is what is
   * sold to them, null where that is not known yet.
   */
  readonly 'user:onboarding': Modal<
    OnboardingOptions & {
      readonly previousAction: string | null;
      readonly member: LoginDone | null;
      readonly offers: OffersView | null;
    },
    'loggedIn' | 'finished'
  >;
  /** The account exists, under a provider that is known or not. */
  readonly 'login:linking': Modal<
    { readonly attempted: LoginProvider; readonly original: LoginProvider | null },
    LoginProvider
  >;
  /** Whether a login of another provider, with another address, is added all the same. */
  readonly 'login:different-email': Modal<{ readonly provider: LoginProvider | null }, 'link' | 'keepApart'>;
  readonly 'login:linking-failed': Modal<Empty, 'gotIt'>;
  readonly 'login:not-supported': Modal<Empty, 'gotIt'>;
  /** The account, opened on one of its tabs. */
  readonly 'user:account': Modal<{ readonly tab: AccountPlace }, never>;
  /** Says what erasing the account costs, and asks once more; a null address is confirmed by a box instead. */
  readonly 'account:erase': Modal<{ readonly erasure: ErasureView }, 'kept'>;
  /** Asks once more before a subscription is cancelled; `until` is the written day on which it ends, null for now. */
  readonly 'subscription:cancel': Modal<{ readonly until: string | null }, 'kept'>;
  /** Asks once more before photos are deleted. */
  readonly 'history:delete': Modal<{ readonly taskIds: readonly string[] }, 'kept'>;
  /** For builders: the rules of the stack, to be seen and tested. */
  readonly 'gallery:modal': Modal<Empty, 'yes' | 'no'>;
  readonly 'gallery:modal[prevent-pop]': Modal<Empty, 'yes' | 'no'>;
}

interface Modal<Props, Outcome extends string> {
  readonly props: Props;
  readonly outcome: Outcome;
}

type Empty = Readonly<Record<never, never>>;

export type ModalId = keyof ModalCatalogue;
export type ModalProps<Id extends ModalId> = ModalCatalogue[Id]['props'];
/** What came of a modal: a choice, or that it was closed without one. */
export type ModalOutcome<Id extends ModalId> = ModalCatalogue[Id]['outcome'] | 'dismissed';

/** A modal of such an id has no close button and is never popped; it closes with a choice made in it. */
export const preventsPop = (id: string): boolean => id.includes('prevent-pop');

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

import type { AboutTopic } from './about-topics';

/** What a modal is given, and the choices it offers beside closing it. */
export interface Modal<Props, Outcome extends string> {
  readonly props: Props;
  readonly outcome: Outcome;
}

export type NoProps = Readonly<Record<never, never>>;

/**
 * Every modal by its id. Each feature declares its own in its `modals.ts`, beside their definitions; `app/modals.ts`
 * assembles them.
 */
export interface ModalCatalogue {
  /** What happens to photos, how to read results, what can be sent. */
  readonly about: Modal<{ readonly topic: AboutTopic }, 'gotIt'>;
}

export type ModalId = keyof ModalCatalogue;
export type ModalProps<Id extends ModalId> = ModalCatalogue[Id]['props'];
/** A choice, or `dismissed` for a modal closed without one. */
export type ModalOutcome<Id extends ModalId> = ModalCatalogue[Id]['outcome'] | 'dismissed';

/** A modal of such an id has no close button and is never popped; it closes with a choice made in it. */
export const preventsPop = (id: string): boolean => id.includes('prevent-pop');

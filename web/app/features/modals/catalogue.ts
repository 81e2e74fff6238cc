import type { ComponentType } from 'react';
import type { Namespace } from '../../i18n/messages';

/** What a modal is given, and the choices it offers beside closing it. */
export interface Modal<Props, Outcome extends string> {
  readonly props: Props;
  readonly outcome: Outcome;
}

export type NoProps = Readonly<Record<never, never>>;

/** Every modal by its id. Each feature declares its own in its `modals.ts`; `modal-registry.ts` assembles them. */
export interface ModalCatalogue extends NoProps {}

export type ModalId = keyof ModalCatalogue;
export type ModalProps<Id extends ModalId> = ModalCatalogue[Id]['props'];
/** A choice, or `dismissed` for a modal closed without one. */
export type ModalOutcome<Id extends ModalId> = ModalCatalogue[Id]['outcome'] | 'dismissed';

/** A modal of such an id has no close button and is never popped; it closes with a choice made in it. */
export const preventsPop = (id: string): boolean => id.includes('prevent-pop');

/** How a modal's contents act on the modal they are in, be it over a page or a page itself. */
export interface ModalHandle<Id extends ModalId> {
  /** Closes it with a choice. Settles when the address is that of the page beneath again. */
  close(outcome: ModalCatalogue[Id]['outcome']): Promise<void>;
  /** Shows something else in it, under the address of that. */
  change(props: ModalProps<Id>): void;
  /** Where it can be found as a page with other properties. */
  addressOf(props: ModalProps<Id>): string;
}

export type ModalBodyProps<Id extends ModalId> = ModalProps<Id> & { readonly modal: ModalHandle<Id> };

/** What the stack needs to know to show a modal. */
export interface ModalDefinition<Id extends ModalId> {
  /** Path of the page that shows the same. */
  address(props: ModalProps<Id>): string;
  /** Fetches its contents, which are no part of any page before. */
  load(): Promise<ComponentType<ModalBodyProps<Id>>>;
  /** Sections with its messages, beside those every page has. */
  readonly sections?: readonly Namespace[];
  /** 'wide' for side tabs. */
  readonly size?: 'narrow' | 'wide';
}

/** Definitions of some modals, or of all. */
export type ModalRegistry<Ids extends ModalId = ModalId> = { readonly [Id in Ids]: ModalDefinition<Id> };

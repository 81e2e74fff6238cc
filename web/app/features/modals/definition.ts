import type { ComponentType } from 'react';
import type { Namespace } from '../../i18n/messages';
import type { ModalCatalogue, ModalId, ModalProps } from './catalogue';

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

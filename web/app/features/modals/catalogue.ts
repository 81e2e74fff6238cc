import type { ComponentType } from 'react';
import type { Namespace } from '../../i18n/messages';
import type { ModalSize } from '../../ui/modal/modal-frame';

/** A modal's props and its outcomes beside `dismissed`. */
export interface Modal<Props, Outcome extends string> {
  readonly props: Props;
  readonly outcome: Outcome;
}

export type NoProps = Readonly<Record<never, never>>;

/** Modals by id. Declared by `app/modals.ts`. */
export interface ModalCatalogue extends NoProps {}

export type ModalId = keyof ModalCatalogue;
export type ModalProps<Id extends ModalId> = ModalCatalogue[Id]['props'];
/** `dismissed` when closed without a choice. */
export type ModalOutcome<Id extends ModalId> = ModalCatalogue[Id]['outcome'] | 'dismissed';

/** Modals with such an id have no close button and close with a choice only. */
export const preventsPop = (id: string): boolean => id.includes('prevent-pop');

/** Controls a modal from its contents, over a page or as a page of its own. */
export interface ModalHandle<Id extends ModalId> {
  /** Resolves when the URL is the underlying page's again. */
  close(outcome: ModalCatalogue[Id]['outcome']): Promise<void>;
  change(props: ModalProps<Id>): void;
  addressOf(props: ModalProps<Id>): string;
}

export type ModalBodyProps<Id extends ModalId> = ModalProps<Id> & { readonly modal: ModalHandle<Id> };

export interface ModalDefinition<Id extends ModalId> {
  address(props: ModalProps<Id>): string;
  load(): Promise<ComponentType<ModalBodyProps<Id>>>;
  /** Message namespaces beside those of every page. */
  readonly sections?: readonly Namespace[];
  /** 'wide' for side tabs; 'side' leaves most of the page visible. */
  readonly size?: ModalSize;
}

export type ModalRegistry<Ids extends ModalId = ModalId> = { readonly [Id in Ids]: ModalDefinition<Id> };

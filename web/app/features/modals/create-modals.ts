import { type ComponentType, useSyncExternalStore } from 'react';
import type { Namespace } from '../../i18n/messages';
import {
  type ModalBodyProps,
  type ModalDefinition,
  type ModalId,
  type ModalOutcome,
  type ModalProps,
  type ModalRegistry,
  preventsPop,
} from './catalogue';
import { createModalHistory } from './modal-history';
import { createModalStack, type ModalStackState } from './modal-stack';

/** Opens and closes modals. */
export interface Modals {
  /**
   * Opens a modal over the page. Settles with what was chosen in it when it is closed and the address is that of the
   * page again. Where the modal can't be loaded, its page is opened instead.
   */
  open<Id extends ModalId>(id: Id, props: ModalProps<Id>): Promise<ModalOutcome<Id>>;
  /** Closes the top modal without a choice, unless its id forbids that. */
  pop(): void;
  /** Keeps visitors from closing modals while something is going on. @returns what releases it */
  lockUi(): () => void;
}

/** What the modals need of the page below. */
export interface ModalHost {
  /** Address of a modal's page, with version parameter and return address. */
  completeAddress(address: string): string;
  loadSections(sections: readonly Namespace[]): Promise<void>;
  /** Fetches the component that renders modals. */
  loadHost(): Promise<unknown>;
}

/** Something that can be loaded and shown, whatever its id. */
type AnyBody = ComponentType<ModalBodyProps<never>>;

export type ModalControl = ReturnType<typeof createModals>;

/** Puts the stack, the browser's history and what there is to show together. */
export function createModals(registry: ModalRegistry, host: ModalHost) {
  const stack = createModalStack();
  const history = createModalHistory(stepTo);
  const bodies = new Map<ModalId, AnyBody>();
  const waiting = new Map<string, (outcome: ModalOutcome<ModalId>) => void>();
  const loading = new Map<ModalId, Promise<void>>();

  const definitionOf = <Id extends ModalId>(id: Id): ModalDefinition<Id> => registry[id];

  function settle(keys: readonly string[], first: ModalOutcome<ModalId> = 'dismissed'): void {
    for (const [position, key] of keys.entries()) {
      waiting.get(key)?.(position === 0 ? first : 'dismissed');
      waiting.delete(key);
    }
  }

  /** Back: everything above has to go, unless one of them stays. */
  function stepTo(keys: readonly string[]): boolean {
    const open = stack.openEntries();
    const first = open.findIndex(({ id, key }) => !preventsPop(id) && !keys.includes(key));
    const leaving = first === -1 ? [] : open.slice(first);
    if (stack.getState().isLocked || leaving.some(({ id }) => preventsPop(id))) return false;
    const closed = leaving.map(({ key }) => key);
    stack.close(closed);
    settle(closed);
    return true;
  }

  async function close(key: string, outcome: ModalOutcome<ModalId>): Promise<void> {
    const keys = stack.openEntries().map((entry) => entry.key);
    if (!keys.includes(key)) return;
    const leaving = keys.slice(keys.indexOf(key));
    stack.close(leaving);
    await history.leave(leaving);
    settle(leaving, outcome);
  }

  async function load<Id extends ModalId>(id: Id): Promise<void> {
    const { load: loadBody, sections = [] } = definitionOf(id);
    const [body] = await Promise.all([loadBody(), host.loadHost(), host.loadSections(sections)]);
    bodies.set(id, body as AnyBody);
  }

  /** Fetches what a modal needs, once. */
  function prepare(id: ModalId): Promise<void> {
    const running = loading.get(id) ?? load(id);
    loading.set(id, running);
    running.catch(() => loading.delete(id));
    return running;
  }

  return {
    stack,
    history,
    prepare,
    bodyOf: (id: ModalId): AnyBody | undefined => bodies.get(id),
    sizeOf: (id: ModalId) => definitionOf(id).size ?? 'narrow',
    addressOf: <Id extends ModalId>(id: Id, props: ModalProps<Id>): string => definitionOf(id).address(props),

    async open<Id extends ModalId>(id: Id, props: ModalProps<Id>): Promise<ModalOutcome<Id>> {
      const opener = document.activeElement;
      const address = host.completeAddress(definitionOf(id).address(props));
      try {
        await prepare(id);
      } catch {
        window.location.assign(address);
        return new Promise(() => {});
      }
      // Asked for twice while it was on its way.
      const open = stack.openEntries().at(-1);
      if (open?.id === id && open.opener === opener) return 'dismissed';
      const { key } = stack.push(id, props, opener);
      const outcome = new Promise<ModalOutcome<Id>>((resolve) => {
        waiting.set(key, resolve as (outcome: ModalOutcome<ModalId>) => void);
      });
      // One that is never popped must not be reached by Back.
      if (!preventsPop(id)) void history.enter(key, address);
      return outcome;
    },

    close,

    change<Id extends ModalId>(key: string, id: Id, props: ModalProps<Id>): void {
      stack.change(key, props);
      history.rename(key, host.completeAddress(definitionOf(id).address(props)));
    },

    /** A visitor wants the top modal gone. */
    dismiss(): void {
      const entry = stack.dismissable();
      if (entry) void close(entry.key, 'dismissed');
    },

    pop(): void {
      const entry = stack.poppable();
      if (entry) void close(entry.key, 'dismissed');
    },

    /** Another page has come: what may go goes with the old one. */
    changePage(): void {
      history.forget();
      const leaving = stack.openEntries().filter(({ id }) => !preventsPop(id));
      const keys = leaving.map(({ key }) => key);
      stack.close(keys);
      settle(keys);
    },

    lockUi: stack.lock,
  };
}

/** The stack as it is now, and whenever it changes. */
export const useStackState = ({ stack }: ModalControl): ModalStackState =>
  useSyncExternalStore(stack.subscribe, stack.getState, stack.getState);

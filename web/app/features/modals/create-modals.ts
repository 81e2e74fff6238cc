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

export interface Modals {
  /** Resolves with the outcome when the URL is the page's again. When loading fails, navigates to the modal's page. */
  open<Id extends ModalId>(id: Id, props: ModalProps<Id>): Promise<ModalOutcome<Id>>;
  /** Dismisses the top modal, unless its id prevents that. */
  pop(): void;
  /** Prevents visitors from closing modals during an operation. @returns a function that releases the lock */
  lockUi(): () => void;
}

export interface ModalHost {
  /** Adds the version parameter and the return address to a modal's URL. */
  addressFromPage(address: string): string;
  loadSections(sections: readonly Namespace[]): Promise<void>;
  loadStackView(): Promise<unknown>;
}

type AnyBody = ComponentType<ModalBodyProps<never>>;

export type ModalControl = ReturnType<typeof createModals>;

/** Connects the modal stack, the browser's history and lazily loaded contents. */
export function createModals(registry: ModalRegistry, host: ModalHost) {
  const stack = createModalStack();
  const history = createModalHistory(onHistoryStep);
  const bodies = new Map<ModalId, AnyBody>();
  const resolvers = new Map<string, (outcome: ModalOutcome<ModalId>) => void>();
  const loading = new Map<ModalId, Promise<void>>();

  const definitionOf = <Id extends ModalId>(id: Id): ModalDefinition<Id> => registry[id];

  function settle(keys: readonly string[], first: ModalOutcome<ModalId> = 'dismissed'): void {
    for (const [position, key] of keys.entries()) {
      resolvers.get(key)?.(position === 0 ? first : 'dismissed');
      resolvers.delete(key);
    }
  }

  /** Closes the modals that are not in `keys`; refuses when one of them can't be dismissed. */
  function onHistoryStep(keys: readonly string[]): boolean {
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
    await history.back(leaving);
    settle(leaving, outcome);
  }

  async function load<Id extends ModalId>(id: Id): Promise<void> {
    const { load: loadBody, sections = [] } = definitionOf(id);
    const [body] = await Promise.all([loadBody(), host.loadStackView(), host.loadSections(sections)]);
    bodies.set(id, body as AnyBody);
  }

  function preload(id: ModalId): Promise<void> {
    const running = loading.get(id) ?? load(id);
    loading.set(id, running);
    running.catch(() => loading.delete(id));
    return running;
  }

  return {
    stack,
    history,
    preload,
    bodyOf: (id: ModalId): AnyBody | undefined => bodies.get(id),
    sizeOf: (id: ModalId) => definitionOf(id).size ?? 'narrow',
    addressOf: <Id extends ModalId>(id: Id, props: ModalProps<Id>): string => definitionOf(id).address(props),

    async open<Id extends ModalId>(id: Id, props: ModalProps<Id>): Promise<ModalOutcome<Id>> {
      const opener = document.activeElement;
      const address = host.addressFromPage(definitionOf(id).address(props));
      try {
        await preload(id);
      } catch {
        window.location.assign(address);
        return new Promise(() => {});
      }
      // A second click while loading.
      const open = stack.openEntries().at(-1);
      if (open?.id === id && open.opener === opener) return 'dismissed';
      const { key } = stack.push(id, props, opener);
      const outcome = new Promise<ModalOutcome<Id>>((resolve) => {
        resolvers.set(key, resolve as (outcome: ModalOutcome<ModalId>) => void);
      });
      // Back must not close one that prevents it.
      if (!preventsPop(id)) void history.push(key, address);
      return outcome;
    },

    close,

    change<Id extends ModalId>(key: string, id: Id, props: ModalProps<Id>): void {
      stack.change(key, props);
      history.replace(key, host.addressFromPage(definitionOf(id).address(props)));
    },

    /** Closes the top modal for the visitor: respects locks, unlike `pop`. */
    dismiss(): void {
      const entry = stack.dismissable();
      if (entry) void close(entry.key, 'dismissed');
    },

    pop(): void {
      const entry = stack.poppable();
      if (entry) void close(entry.key, 'dismissed');
    },

    /** Dismisses the modals after a navigation. */
    onNavigate(): void {
      history.reset();
      const leaving = stack.openEntries().filter(({ id }) => !preventsPop(id));
      const keys = leaving.map(({ key }) => key);
      stack.close(keys);
      settle(keys);
    },

    lockUi: stack.lock,
  };
}

export const useStackState = ({ stack }: ModalControl): ModalStackState =>
  useSyncExternalStore(stack.subscribe, stack.getState, stack.getState);

import { useSyncExternalStore } from 'react';
import type { ModalControl } from './create-modals';
import type { ModalStackState } from './modal-stack';

/** The stack as it is now, and whenever it changes. */
export const useStackState = ({ stack }: ModalControl): ModalStackState =>
  useSyncExternalStore(stack.subscribe, stack.getState, stack.getState);

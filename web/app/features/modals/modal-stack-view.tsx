import { type ComponentType, useLayoutEffect, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { ModalDialog } from '../../ui/modal/modal';
import { type ModalHandle, preventsPop } from './catalogue';
import { type ModalControl, useStackState } from './create-modals';
import type { ModalEntry } from './modal-stack';

export function ModalStackView({ control }: { readonly control: ModalControl }) {
  const { entries, isLocked } = useStackState(control);
  // Keeps the space of the page's scroll bar; a layout effect, so that nothing is painted without it.
  useLayoutEffect(() => {
    const { documentElement: page } = document;
    page.toggleAttribute('data-scrollbar', window.innerWidth > page.clientWidth);
    return () => page.removeAttribute('data-scrollbar');
  }, []);
  const top = entries.filter(({ isOpen }) => isOpen).at(-1);
  return entries.map((entry) => (
    <StackedModal key={entry.key} entry={entry} control={control} isTop={entry === top} isLocked={isLocked} />
  ));
}

interface StackedModalProps {
  readonly entry: ModalEntry;
  readonly control: ModalControl;
  readonly isTop: boolean;
  readonly isLocked: boolean;
}

function StackedModal({ entry, control, isTop, isLocked }: StackedModalProps) {
  const { t } = useTranslation();
  const { key, id, props, isOpen, opener } = entry;
  const modal = useMemo<ModalHandle<typeof id>>(
    () => ({
      close: (outcome) => control.close(key, outcome),
      change: (next) => control.change(key, id, next),
      addressOf: (next) => control.addressOf(id, next),
    }),
    [control, key, id],
  );
  // `open` types the props by the id.
  const Body = control.bodyOf(id) as ComponentType<object> | undefined;
  if (!Body) return null;
  return (
    <ModalDialog
      isOpen={isOpen}
      isTop={isTop}
      isLocked={isLocked}
      size={control.sizeOf(id)}
      closeLabel={preventsPop(id) ? null : t('close')}
      onDismiss={control.dismiss}
      onClosed={() => {
        control.stack.remove(key);
        restoreFocus(opener);
      }}
    >
      <Body {...props} {...{ modal }} />
    </ModalDialog>
  );
}

/**
 * To the opener, the dialog below or the content. Keeps the page where it was: the dialog may have opened by itself, and the content begins
 * at the top.
 */
function restoreFocus(opener: Element | null): void {
  const { activeElement, body } = document;
  const isOpenerLeft = opener instanceof HTMLElement && opener.isConnected && opener !== body;
  if (isOpenerLeft) opener.focus({ preventScroll: true });
  else if (activeElement === body || activeElement?.closest('.modal[data-state=closed]')) {
    const below = [...document.querySelectorAll<HTMLElement>('.modal[data-state=open]')].at(-1);
    (below ?? document.getElementById('content'))?.focus({ preventScroll: true });
  }
}

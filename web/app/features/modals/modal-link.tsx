import { useLocation } from '@remix-run/react';
import type { MouseEvent, ReactNode } from 'react';
import { AppLink } from '../../ui/page/app-link';
import type { ModalId, ModalProps } from './catalogue';
import { completeModalAddress } from './modal-address';
import { useModalControl } from './modals';

interface ModalLinkProps<Id extends ModalId> {
  readonly modal: Id;
  readonly with: ModalProps<Id>;
  readonly className?: string;
  readonly label?: string;
  readonly children: ReactNode;
}

const isPlainClick = ({ button, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent): boolean =>
  button === 0 && !metaKey && !ctrlKey && !shiftKey && !altKey;

/** A plain link to a modal's page. With script it opens the modal over the page it is on. */
export function ModalLink<Id extends ModalId>(props: ModalLinkProps<Id>) {
  const { modal, with: modalProps, className, label, children } = props;
  const control = useModalControl();
  const address = completeModalAddress(control.addressOf(modal, modalProps), useLocation());
  const prepare = () => void control.prepare(modal).catch(() => {});
  return (
    <AppLink
      to={address}
      className={className}
      aria-label={label}
      onPointerEnter={prepare}
      onFocus={prepare}
      onClick={(event) => {
        if (event.defaultPrevented || !isPlainClick(event)) return;
        event.preventDefault();
        void control.open(modal, modalProps);
      }}
    >
      {children}
    </AppLink>
  );
}

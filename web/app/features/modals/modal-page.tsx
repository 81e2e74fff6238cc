import { useLocation } from '@remix-run/react';
import { type Attributes, type ComponentType, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { preserveVersionParam, returnAddressIn } from '../../http/internal-address';
import { ModalCard } from '../../ui/modal/modal-card';
import { useAppNavigate } from '../../ui/page/app-link';
import type { ModalBodyProps, ModalHandle, ModalId, ModalProps } from './catalogue';
import { siblingAddress } from './modal-address';
import { useModalControl } from './modals';

interface ModalPageProps<Id extends ModalId> {
  readonly modal: Id;
  readonly with: ModalProps<Id>;
  readonly body: ComponentType<ModalBodyProps<Id>>;
}

export function ModalPage<Id extends ModalId>({ modal: id, with: props, body: Body }: ModalPageProps<Id>) {
  const { t } = useTranslation();
  const control = useModalControl();
  const navigate = useAppNavigate();
  const { search } = useLocation();
  const back = preserveVersionParam(returnAddressIn(search), search);
  const modal = useMemo<ModalHandle<Id>>(() => {
    const addressOf = (next: ModalProps<Id>) => siblingAddress(control.addressOf(id, next), search);
    return {
      close: async () => navigate(back),
      change: (next) => navigate(addressOf(next)),
      addressOf,
    };
  }, [control, id, search, navigate, back]);
  const bodyProps = { ...props, modal } as ModalBodyProps<Id> & Attributes;
  return (
    <ModalCard backTo={back} backLabel={t('goBack')} size={control.sizeOf(id)}>
      <Body {...bodyProps} />
    </ModalCard>
  );
}

import { useLocation } from '@remix-run/react';
import { createContext, lazy, type ReactNode, Suspense, useContext, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ModalRegistry } from './catalogue';
import { createModals, type ModalControl, type Modals, useStackState } from './create-modals';
import { modalAddressFrom } from './modal-address';

const ModalsContext = createContext<ModalControl | null>(null);

const loadStackView = async () => ({ default: (await import('./modal-stack-view')).ModalStackView });
const ModalStackView = lazy(loadStackView);

interface ModalsProviderProps {
  readonly registry: ModalRegistry;
  readonly children: ReactNode;
}

export function ModalsProvider({ registry, children }: ModalsProviderProps) {
  const { i18n } = useTranslation();
  const location = useLocation();
  const currentLocation = useRef(location);
  const [control] = useState(() =>
    createModals(registry, {
      addressFromPage: (address) => modalAddressFrom(address, currentLocation.current),
      loadSections: (sections) => i18n.loadNamespaces(sections),
      loadStackView,
    }),
  );

  useEffect(() => {
    if (currentLocation.current.key !== location.key) control.onNavigate();
    currentLocation.current = location;
  }, [control, location]);
  useEffect(() => control.history.listen(), [control]);

  return (
    <ModalsContext.Provider value={control}>
      {children}
      <OpenModals control={control} />
    </ModalsContext.Provider>
  );
}

function OpenModals({ control }: { readonly control: ModalControl }) {
  const { entries } = useStackState(control);
  if (entries.length === 0) return null;
  return (
    <Suspense fallback={null}>
      <ModalStackView control={control} />
    </Suspense>
  );
}

export function useModalControl(): ModalControl {
  const control = useContext(ModalsContext);
  if (!control) throw new Error('useModalControl needs a ModalsProvider');
  return control;
}

/** Opens, closes and locks modals; referentially stable. */
export const useModals = (): Modals => useModalControl();

export const useIsModalOpen = (): boolean => useStackState(useModalControl()).entries.some(({ isOpen }) => isOpen);

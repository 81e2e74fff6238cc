import { useLocation } from '@remix-run/react';
import { createContext, lazy, type ReactNode, Suspense, useContext, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ModalRegistry } from './catalogue';
import { createModals, type ModalControl, type Modals, useStackState } from './create-modals';
import { completeModalAddress } from './modal-address';

const ModalsContext = createContext<ModalControl | null>(null);

const loadHost = async () => ({ default: (await import('./modal-stack-view')).ModalStackView });
const ModalStackView = lazy(loadHost);

interface ModalsProviderProps {
  readonly registry: ModalRegistry;
  readonly children: ReactNode;
}

/** Gives everything inside the one modal stack. What shows modals is fetched with the first of them. */
export function ModalsProvider({ registry, children }: ModalsProviderProps) {
  const { i18n } = useTranslation();
  const location = useLocation();
  const here = useRef(location);
  const [control] = useState(() =>
    createModals(registry, {
      completeAddress: (address) => completeModalAddress(address, here.current),
      loadSections: (sections) => i18n.loadNamespaces(sections),
      loadHost,
    }),
  );

  useEffect(() => {
    if (here.current.key !== location.key) control.changePage();
    here.current = location;
  }, [control, location]);
  useEffect(() => control.history.listen(), [control]);

  return (
    <ModalsContext.Provider value={control}>
      {children}
      <ModalsOnScreen control={control} />
    </ModalsContext.Provider>
  );
}

function ModalsOnScreen({ control }: { readonly control: ModalControl }) {
  const { entries } = useStackState(control);
  if (entries.length === 0) return null;
  return (
    <Suspense fallback={null}>
      <ModalStackView control={control} />
    </Suspense>
  );
}

/** @throws outside of the provider, which is a fault in the root */
export function useModalControl(): ModalControl {
  const control = useContext(ModalsContext);
  if (!control) throw new Error('There is no modal stack: the root has to provide it.');
  return control;
}

/** To open modals, to close them, and to keep them open. The functions never change. */
export const useModals = (): Modals => useModalControl();

/** Whether a modal is open, so that the page beneath is out of reach. */
export const useIsCovered = (): boolean => useStackState(useModalControl()).entries.some(({ isOpen }) => isOpen);

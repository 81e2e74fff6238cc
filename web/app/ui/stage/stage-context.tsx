import { createContext, type ReactNode, useContext, useMemo, useState } from 'react';

export interface PictureBox {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

interface StageState {
  /** Outlined on the picture. */
  readonly highlight: PictureBox | null;
  readonly setHighlight: (box: PictureBox | null) => void;
  readonly overlay: string | null;
  readonly setOverlay: (url: string | null) => void;
}

const ignore = () => undefined;

const StageContext = createContext<StageState>({
  highlight: null,
  setHighlight: ignore,
  overlay: null,
  setOverlay: ignore,
});

export function StageProvider({ children }: { readonly children: ReactNode }) {
  const [highlight, setHighlight] = useState<PictureBox | null>(null);
  const [overlay, setOverlay] = useState<string | null>(null);
  const state = useMemo(() => ({ highlight, setHighlight, overlay, setOverlay }), [highlight, overlay]);
  return <StageContext.Provider value={state}>{children}</StageContext.Provider>;
}

export const useStage = (): StageState => useContext(StageContext);

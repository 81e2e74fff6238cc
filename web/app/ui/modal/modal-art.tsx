import { useModalFrame } from './modal-frame';

const SIZE = { width: 848, height: 320, loading: 'lazy', decoding: 'async' } as const;

/** Header image of a call to action over its own background (spec 1, section 2); made by tests/samples. */
export function ModalArt({ name }: { readonly name: string }) {
  const { mode } = useModalFrame();
  return (
    <div aria-hidden className={`modal-art ${mode === 'dialog' ? 'modal-art-bleed' : ''}`}>
      <img alt="" src={`/samples/offer-${name}-back.webp`} className="modal-art-back" {...SIZE} />
      <img alt="" src={`/samples/offer-${name}.webp`} {...SIZE} />
    </div>
  );
}

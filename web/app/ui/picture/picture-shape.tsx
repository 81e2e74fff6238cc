interface PictureShapeProps {
  /** In pixels. */
  readonly width: number;
  readonly height: number;
  /** Initial height of the divider's knob in percent; the middle by default. */
  readonly knob?: number;
  readonly nonce: string | undefined;
}

/**
 * Sets the picture's dimensions for the style sheet before it loads. A style element with a nonce: the content security
 * policy forbids style attributes.
 */
export function PictureShape({ width, height, knob = 50, nonce }: PictureShapeProps) {
  return (
    <style nonce={nonce} suppressHydrationWarning>
      {`:root{--picture-width:${width};--picture-height:${height};--picture-knob:${knob}%}`}
    </style>
  );
}

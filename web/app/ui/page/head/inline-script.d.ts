declare module '*?inline-script' {
  /** Text of a classic script. */
  const script: string;
  export default script;
}

export declare function compileKernels(): Promise<Uint8Array>;

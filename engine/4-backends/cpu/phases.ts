/** The phases of one step: kernels that run one after the other, each once all items of the one before are done. */
import { sizeAdd, type Size } from '../../0-ir/sizes.ts';
import { Kernel, type KernelShape, type ModuleParts } from './kernel.ts';

export class Phases {
  readonly kernels: Kernel[] = [];
  /** Bytes of scratch that they share. */
  sharedBytes: Size = 0;

  constructor(
    private readonly module: ModuleParts,
    /** The number of the first kernel within the module. */
    private readonly first: number,
    /** The step over its independent items. */
    private readonly whole: KernelShape,
  ) {}

  /** The next phase; over the step's items unless said. */
  next(shape: KernelShape = this.whole): Kernel {
    const kernel = new Kernel(this.module, this.first + this.kernels.length, shape);
    this.kernels.push(kernel);
    return kernel;
  }

  get work(): KernelShape['work'] {
    return this.whole.work;
  }

  get precision(): ModuleParts['precision'] {
    return this.module.precision;
  }

  get tiles(): ModuleParts['tiles'] {
    return this.module.tiles;
  }

  /** So many bytes, a multiple of 8, for `Kernel.shared`. Undefined until a phase has written them. */
  share(bytes: Size): Size {
    const offset = this.sharedBytes;
    this.sharedBytes = sizeAdd(offset, bytes);
    return offset;
  }
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * A pass for clang, loaded by `goldilocks cc` (-fpass-plugin): what LLVM's own ThreadSanitizer pass, before which it runs, leaves out.
 *
 *   loads and stores of other sizes than 1, 2, 4, 8 and 16 bytes (vectors of AVX, long double), and vector loads and stores with a mask or
 *   with an address for each element, LLVM's and x86's own: told by calls of the functions that gcc uses for such (__tsan_read_range ...)
 *   structures that a call takes by value right from where they are: read
 *   members and elements of local variables that others have the address of, up to LLVM 20: that pass asks whether the address of the member
 *   has been given away, not that of the variable.  So it is given away, to an assembly statement without instructions
 *   atomic operations that have no function (maxima, minima, sums of floating-point numbers): a loop of compare-and-exchange, as any machine
 *   without an instruction for them does it, which that pass instruments
 *
 * What it calls is in every runtime of ThreadSanitizer, so objects built with it are like others.  C++, since LLVM has no other way in for passes.
 */
#include <llvm/Analysis/CaptureTracking.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Passes/PassBuilder.h>
#if __has_include(<llvm/Plugins/PassPlugin.h>) /* since LLVM 22 */
#include <llvm/Plugins/PassPlugin.h>
#else
#include <llvm/Passes/PassPlugin.h>
#endif
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#if LLVM_VERSION_MAJOR >= 15
#include <llvm/Transforms/Utils/LowerAtomic.h>
#endif

using namespace llvm;

namespace {

bool startsWith(StringRef Name, StringRef Prefix)
{
    return Name.substr(0, Prefix.size()) == Prefix; /* the member's name has changed */
}

Type *bytePointer(LLVMContext &Context)
{
#if LLVM_VERSION_MAJOR < 15
    return Type::getInt8PtrTy(Context);
#else
    return PointerType::getUnqual(Context);
#endif
}

bool mayBeCaptured(const Value *Address)
{
#if LLVM_VERSION_MAJOR < 21
    return PointerMayBeCaptured(Address, true, true);
#else
    return PointerMayBeCaptured(Address, true);
#endif
}

/* Can another thread race here, by what that pass itself asks: is it neither on the stack and nobody else's, nor constant? */
bool mayRace(Value *Address, bool Write)
{
    if (Address->getType()->getScalarType()->getPointerAddressSpace() != 0 || Address->isSwiftError())
        return false;
    const Value *Object = getUnderlyingObject(Address);
    if (const auto *Local = dyn_cast<AllocaInst>(Object))
        return mayBeCaptured(Local);
    if (const auto *Global = dyn_cast<GlobalVariable>(Object))
        return Write || !Global->isConstant();
    return true;
}

/* A vector access, element by element: which of them are made, and where. */
struct Elements {
    Value *Base = nullptr;  /* the address, or a vector of one for each element */
    Value *Mask = nullptr;  /* a vector of i1, or of numbers whose sign says it, or a number with a bit for each */
    Value *Index = nullptr; /* the elements' distances from Base in units of Scale, or NULL: one behind the other */
    uint64_t Scale = 1;
    Type *Each = nullptr;
    unsigned Count = 0; /* how many; 0: as many as the mask's type has */
    bool Write = false, Packed = false; /* only as many, one behind the other, as the mask has */
};

class Completion {
    Module &M;
    const DataLayout &Layout;
    LLVMContext &Context;
    Type *Int64, *Pointer;
    AttributeList NoUnwind;
    bool Changed = false;

    FunctionCallee function(const Twine &Name, ArrayRef<Type *> Arguments)
    {
        return M.getOrInsertFunction(Name.str(), FunctionType::get(Type::getVoidTy(Context), Arguments, false), NoUnwind);
    }

    void tellRange(IRBuilder<> &B, Value *Address, Value *Size, bool Write)
    {
        B.CreateCall(function(Write ? "__tsan_write_range" : "__tsan_read_range", {Pointer, Int64}), {B.CreatePointerCast(Address, Pointer), Size});
        Changed = true;
    }

    void tellRange(Instruction &I, Value *Address, uint64_t Size, bool Write)
    {
        IRBuilder<> B(&I);
        if (mayRace(Address, Write))
            tellRange(B, Address, ConstantInt::get(Int64, Size), Write);
    }

    /* The address of a part of a local variable that others may have the address of, before the access I. */
    void giveAway(Instruction &I, Value *Address)
    {
        const AllocaInst *Local = LLVM_VERSION_MAJOR < 21 && !isa<AllocaInst>(Address) ? findAllocaForValue(Address) : nullptr;
        if (!Local || !mayBeCaptured(Local) || mayBeCaptured(Address))
            return;
        auto *T = FunctionType::get(Type::getVoidTy(Context), {Address->getType()}, false);
        IRBuilder<>(&I).CreateCall(T, InlineAsm::get(T, "", "r,~{memory}", false), {Address});
        Changed = true;
    }

    /* The pass has functions for these sizes, in bytes, and leaves out what has another one. */
    static bool hasFunction(uint64_t Size)
    {
        return Size == 1 || Size == 2 || Size == 4 || Size == 8 || Size == 16;
    }

    void visitAccess(Instruction &I, Value *Address, Type *T, bool Write)
    {
        TypeSize Size = Layout.getTypeStoreSize(T);
        if (Size.isScalable() || !Size.getFixedValue())
            return;
        if (!hasFunction(Size.getFixedValue()))
            tellRange(I, Address, Size.getFixedValue(), Write);
        else
            giveAway(I, Address);
    }

    /* The mask as a number with a bit for each element. */
    Value *bitsOf(IRBuilder<> &B, Value *Mask, unsigned Count)
    {
        if (Mask->getType()->isIntegerTy())
            return B.CreateAnd(B.CreateZExt(Mask, Int64), ConstantInt::get(Int64, ~0ull >> (64 - Count)));
        auto *T = cast<FixedVectorType>(Mask->getType());
        if (!T->getElementType()->isIntegerTy(1)) {
            Type *Number = B.getIntNTy((unsigned)Layout.getTypeSizeInBits(T->getElementType()).getFixedValue());
            Mask = B.CreateBitCast(Mask, FixedVectorType::get(Number, T->getNumElements()));
            Mask = B.CreateICmpSLT(Mask, Constant::getNullValue(Mask->getType()));
        }
        Value *Bits = B.CreateZExt(B.CreateBitCast(Mask, B.getIntNTy(T->getNumElements())), Int64);
        return Count < T->getNumElements() ? B.CreateAnd(Bits, ConstantInt::get(Int64, (1ull << Count) - 1)) : Bits;
    }

    void tellElements(Instruction &I, const Elements &E)
    {
        TypeSize Bits = Layout.getTypeSizeInBits(E.Each);
        unsigned Count = E.Count ? E.Count : cast<FixedVectorType>(E.Mask->getType())->getNumElements();
        if (Bits.isScalable() || Bits.getFixedValue() % 8 || !hasFunction(Bits.getFixedValue() / 8) || Count > 64 || !mayRace(E.Base, E.Write))
            return;
        uint64_t Size = Bits.getFixedValue() / 8;
        if (E.Index)
            Count = std::min(Count, cast<FixedVectorType>(E.Index->getType())->getNumElements());
        IRBuilder<> B(&I);
        Value *All = bitsOf(B, E.Mask, Count);
        if (E.Packed) {
            Value *Number = B.CreateUnaryIntrinsic(Intrinsic::ctpop, All);
            tellRange(B, E.Base, B.CreateMul(Number, ConstantInt::get(Int64, Size)), E.Write);
            return;
        }
        /* while (Bits) { element cttz(Bits); Bits &= Bits - 1; } */
        Changed = true;
        Value *Some = B.CreateICmpNE(All, ConstantInt::get(Int64, 0));
        BasicBlock *Before = I.getParent(), *After = SplitBlock(Before, &I);
        BasicBlock *Loop = BasicBlock::Create(Context, "", Before->getParent(), After);
        Before->getTerminator()->eraseFromParent();
        B.SetInsertPoint(Before);
        B.SetCurrentDebugLocation(I.getDebugLoc());
        B.CreateCondBr(Some, Loop, After);
        B.SetInsertPoint(Loop);
        PHINode *Rest = B.CreatePHI(Int64, 2);
        Rest->addIncoming(All, Before);
        Value *Which = B.CreateBinaryIntrinsic(Intrinsic::cttz, Rest, B.getTrue()), *At;
        if (E.Base->getType()->isVectorTy()) {
            At = B.CreatePointerCast(B.CreateExtractElement(E.Base, Which), Pointer);
        } else {
            Value *Distance = Which;
            if (E.Index)
                Distance = B.CreateSExt(B.CreateExtractElement(E.Index, Which), Int64);
            At = B.CreateGEP(B.getInt8Ty(), B.CreatePointerCast(E.Base, Pointer),
                             B.CreateMul(Distance, ConstantInt::get(Int64, E.Index ? E.Scale : Size)));
        }
        const Twine Kind(E.Write ? "write" : "read");
        B.CreateCall(Size == 1 ? function("__tsan_" + Kind + "1", {Pointer}) : function("__tsan_unaligned_" + Kind + Twine(Size), {Pointer}), {At});
        Value *Next = B.CreateAnd(Rest, B.CreateSub(Rest, ConstantInt::get(Int64, 1)));
        Rest->addIncoming(Next, Loop);
        B.CreateCondBr(B.CreateICmpNE(Next, ConstantInt::get(Int64, 0)), Loop, After);
    }

    static Type *elementOf(const Value *V)
    {
        return cast<VectorType>(V->getType())->getElementType();
    }

    /* LLVM's own: the arguments are found by their types, since they have changed places. */
    bool isMasked(const IntrinsicInst &Call, Elements &E)
    {
        const Value *Data = &Call;
        switch (Call.getIntrinsicID()) {
        case Intrinsic::masked_expandload:
            E.Packed = true;
            break;
        case Intrinsic::masked_load:
        case Intrinsic::masked_gather:
            break;
        case Intrinsic::masked_compressstore:
            E.Packed = true;
            [[fallthrough]];
        case Intrinsic::masked_store:
        case Intrinsic::masked_scatter:
            E.Write = true;
            Data = Call.getArgOperand(0);
            break;
        default:
            return false;
        }
        if (!isa<FixedVectorType>(Data->getType()))
            return false;
        E.Each = elementOf(Data);
        for (Value *V : Call.args()) {
            if (V == Data)
                continue;
            if (!E.Base && V->getType()->getScalarType()->isPointerTy())
                E.Base = V;
            else if (!E.Mask && V->getType()->isVectorTy() && elementOf(V)->isIntegerTy(1))
                E.Mask = V;
        }
        return E.Base && E.Mask;
    }

    /* x86's.  Of the masks those of AVX-512 are vectors of i1, and the others' bits are signs. */
    bool isMaskedX86(const IntrinsicInst &Call, Elements &E)
    {
        StringRef Name = Call.getCalledFunction()->getName();
        auto Is = [&](StringRef Rest) { return startsWith(Name.substr(StringRef("llvm.x86.").size()), Rest); };
        auto Argument = [&](unsigned I) { return Call.getArgOperand(I); };
        if (Is("avx.maskload") || Is("avx2.maskload")) {
            E.Base = Argument(0), E.Mask = Argument(1), E.Each = elementOf(&Call);
        } else if (Is("avx.maskstore") || Is("avx2.maskstore")) {
            E.Base = Argument(0), E.Mask = Argument(1), E.Each = elementOf(Argument(2)), E.Write = true;
        } else if (Is("sse2.maskmov.dqu")) {
            E.Base = Argument(2), E.Mask = Argument(1), E.Each = elementOf(Argument(0)), E.Write = true;
        } else if (Is("avx2.gather") || Is("avx512.mask.gather")) {
            E.Base = Argument(1), E.Index = Argument(2), E.Mask = Argument(3), E.Each = elementOf(&Call);
        } else if (Is("avx512.mask.scatter")) {
            E.Base = Argument(0), E.Mask = Argument(1), E.Index = Argument(2), E.Each = elementOf(Argument(3)), E.Write = true;
        } else if (Is("avx512.mask.pmov") && Name.contains(".mem.")) { /* ... .db.mem.512: of 32 bits are made 8 */
            char To = Name[Name.find(".mem.") - 1];
            E.Base = Argument(0), E.Mask = Argument(2), E.Write = true;
            E.Count = cast<FixedVectorType>(Argument(1)->getType())->getNumElements();
            E.Each = Type::getIntNTy(Context, To == 'b' ? 8 : To == 'w' ? 16 : 32);
        } else {
            return false;
        }
        if (E.Index)
            E.Scale = cast<ConstantInt>(Argument(4))->getZExtValue();
        return true;
    }

    void visitIntrinsic(IntrinsicInst &Call)
    {
        Elements E;
        const bool X86 = startsWith(Call.getCalledFunction()->getName(), "llvm.x86.");
        if (X86 ? isMaskedX86(Call, E) : isMasked(Call, E))
            tellElements(Call, E);
        else if (X86 && Call.getCalledFunction()->getName().contains(".ldu.dq"))
            tellRange(Call, Call.getArgOperand(0), Layout.getTypeStoreSize(Call.getType()).getFixedValue(), false);
    }

    /* How many bytes of it hold something.  What lies behind a C++ class's last member may be a member of a class that is made of it; such
     * a class clang makes a packed structure with an array of bytes at its end. */
    uint64_t usedSize(Type *T)
    {
        uint64_t Size = Layout.getTypeAllocSize(T).getFixedValue(), Align = 1;
        auto *S = dyn_cast<StructType>(T);
        if (!S || !S->isPacked() || S->getNumElements() < 2)
            return Size;
        auto *Last = dyn_cast<ArrayType>(S->getElementType(S->getNumElements() - 1));
        if (!Last || !Last->getElementType()->isIntegerTy(8))
            return Size;
        for (Type *Each : S->elements())
            Align = std::max<uint64_t>(Align, Layout.getABITypeAlign(Each).value());
        return Size % Align == 0 && Last->getNumElements() < Align ? Size - Last->getNumElements() : Size;
    }

    void visitByValue(CallBase &Call)
    {
        for (unsigned I = 0; I < Call.arg_size(); I++)
            if (Call.isByValArgument(I))
                tellRange(Call, Call.getArgOperand(I), usedSize(Call.getParamByValType(I)), false);
    }

    /* Has the pass no function for it, and we know what it does? */
    static bool isLeftOut(const AtomicRMWInst &I)
    {
        switch (I.getOperation()) {
        case AtomicRMWInst::Xchg: case AtomicRMWInst::Add: case AtomicRMWInst::Sub: case AtomicRMWInst::And: case AtomicRMWInst::Or:
        case AtomicRMWInst::Xor: case AtomicRMWInst::Nand: case AtomicRMWInst::BAD_BINOP:
            return false;
        default:
            return true;
        }
    }

    static Value *valueOf(AtomicRMWInst &I, IRBuilder<> &B, Value *Old)
    {
        Value *With = I.getValOperand();
#if LLVM_VERSION_MAJOR >= 15
        return buildAtomicRMWValue(I.getOperation(), B, Old, With);
#else
        switch (I.getOperation()) {
        case AtomicRMWInst::Max:
            return B.CreateSelect(B.CreateICmpSGT(Old, With), Old, With);
        case AtomicRMWInst::Min:
            return B.CreateSelect(B.CreateICmpSLE(Old, With), Old, With);
        case AtomicRMWInst::UMax:
            return B.CreateSelect(B.CreateICmpUGT(Old, With), Old, With);
        case AtomicRMWInst::UMin:
            return B.CreateSelect(B.CreateICmpULE(Old, With), Old, With);
        case AtomicRMWInst::FAdd:
            return B.CreateFAdd(Old, With);
        case AtomicRMWInst::FSub:
            return B.CreateFSub(Old, With);
        default:
            return nullptr;
        }
#endif
    }

    /* Old = *p; do New = Old op With; while (!compare_exchange(p, &Old, New)).  The first load decides nothing: no access of the program. */
    void expand(AtomicRMWInst &I)
    {
        uint64_t Bits = Layout.getTypeStoreSizeInBits(I.getType()).getFixedValue();
        if (Bits > 64 || !hasFunction(Bits / 8))
            return;
        IRBuilder<> B(&I);
        Type *Number = B.getIntNTy((unsigned)Bits);
#if LLVM_VERSION_MAJOR < 15
        Value *P = B.CreatePointerCast(I.getPointerOperand(), Number->getPointerTo(I.getPointerAddressSpace()));
#else
        Value *P = I.getPointerOperand();
#endif
        LoadInst *First = B.CreateAlignedLoad(Number, P, I.getAlign(), I.isVolatile());
        First->setAtomic(AtomicOrdering::Monotonic, I.getSyncScopeID());
        First->setMetadata("nosanitize", MDNode::get(Context, {}));
        BasicBlock *Before = I.getParent(), *After = SplitBlock(Before, &I);
        BasicBlock *Loop = BasicBlock::Create(Context, "", Before->getParent(), After);
        Before->getTerminator()->setSuccessor(0, Loop);
        B.SetInsertPoint(Loop);
        B.SetCurrentDebugLocation(I.getDebugLoc());
        PHINode *Old = B.CreatePHI(Number, 2);
        Old->addIncoming(First, Before);
        Value *New = valueOf(I, B, B.CreateBitOrPointerCast(Old, I.getType()));
        AtomicCmpXchgInst *Exchange = B.CreateAtomicCmpXchg(P, Old, B.CreateBitOrPointerCast(New, Number), I.getAlign(), I.getOrdering(),
                                                            AtomicCmpXchgInst::getStrongestFailureOrdering(I.getOrdering()), I.getSyncScopeID());
        Exchange->setVolatile(I.isVolatile());
        Value *Found = B.CreateExtractValue(Exchange, 0);
        Old->addIncoming(Found, Loop);
        B.CreateCondBr(B.CreateExtractValue(Exchange, 1), After, Loop);
        I.replaceAllUsesWith(IRBuilder<>(&I).CreateBitOrPointerCast(Found, I.getType()));
        I.eraseFromParent();
        Changed = true;
    }

    /* The pass instruments atomic operations in functions, too, that are not to be watched: they may order others. */
    void visit(Instruction &I, bool Watched)
    {
        if (I.hasMetadata("nosanitize"))
            return;
        if (auto *Atomic = dyn_cast<AtomicRMWInst>(&I)) {
            if (isLeftOut(*Atomic))
                expand(*Atomic);
            return;
        }
        if (!Watched || I.isAtomic())
            return;
        if (auto *Load = dyn_cast<LoadInst>(&I))
            visitAccess(I, Load->getPointerOperand(), Load->getType(), false);
        else if (auto *Store = dyn_cast<StoreInst>(&I))
            visitAccess(I, Store->getPointerOperand(), Store->getValueOperand()->getType(), true);
        else if (auto *Intrinsic = dyn_cast<IntrinsicInst>(&I))
            visitIntrinsic(*Intrinsic);
        else if (auto *Call = dyn_cast<CallBase>(&I))
            visitByValue(*Call);
    }

public:
    explicit Completion(Module &M)
        : M(M), Layout(M.getDataLayout()), Context(M.getContext()), Int64(Type::getInt64Ty(Context)), Pointer(bytePointer(Context)),
          NoUnwind(AttributeList().addFnAttribute(Context, Attribute::NoUnwind))
    {
    }

    bool run()
    {
        for (Function &F : M) {
            if (F.hasFnAttribute(Attribute::Naked) || F.hasFnAttribute(Attribute::DisableSanitizerInstrumentation))
                continue;
            std::vector<Instruction *> All; /* what is added is not visited */
            for (BasicBlock &Block : F)
                for (Instruction &I : Block)
                    All.push_back(&I);
            for (Instruction *I : All)
                visit(*I, F.hasFnAttribute(Attribute::SanitizeThread));
        }
        return Changed;
    }
};

struct CompletePass : PassInfoMixin<CompletePass> {
    PreservedAnalyses run(Module &M, ModuleAnalysisManager &)
    {
        for (const Function &F : M)
            if (F.hasFnAttribute(Attribute::SanitizeThread)) /* it is built with -fsanitize=thread */
                return Completion(M).run() ? PreservedAnalyses::none() : PreservedAnalyses::all();
        return PreservedAnalyses::all();
    }
    static bool isRequired() { return true; }
};

} // namespace

extern "C" __attribute__((visibility("default"))) PassPluginLibraryInfo llvmGetPassPluginInfo()
{
    return {LLVM_PLUGIN_API_VERSION, "goldilocks-complete", "1", [](PassBuilder &Builder) {
                Builder.registerOptimizerLastEPCallback([](ModulePassManager &Passes, OptimizationLevel
#if LLVM_VERSION_MAJOR >= 20
                                                           , ThinOrFullLTOPhase
#endif
                                                        ) { Passes.addPass(CompletePass()); });
            }};
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * A pass for clang, loaded by `goldilocks cc --inline` (-fpass-plugin): accesses that a loop makes one after the other are told to the runtime as a
 * row, once before the loop, in place of one by one in it (native/loop.c).  It runs before ThreadSanitizer's own pass, and marks what it has told
 * "nosanitize", which that one leaves alone; the rest is instrumented as ever.  So is a copy of the loop, for few rounds, and for when the
 * runtime wants each access right before it is made (a handler, a recording): it says which of the two runs.  C++, since LLVM has no other way
 * in for passes.
 *
 * Which loops:  innermost ones that are left at their end only, whose number of rounds is known when they begin, and in which nothing
 * synchronizes, throws, or calls what is not known to do neither.  Which accesses: plain ones made in every round, at addresses a constant
 * distance apart.  So each access of a row is certain to happen, in the thread's present segment (docs/concurrency.md, F.18).
 */
#include <llvm/ADT/DenseMap.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Passes/PassBuilder.h>
#if __has_include(<llvm/Plugins/PassPlugin.h>) /* since LLVM 22 */
#include <llvm/Plugins/PassPlugin.h>
#else
#include <llvm/Passes/PassPlugin.h>
#endif
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>
#include <llvm/Transforms/Utils/LoopUtils.h>
#include <llvm/Transforms/Utils/ScalarEvolutionExpander.h>

using namespace llvm;

namespace {

/* Telling a row costs what about so many accesses cost that were seen before. */
constexpr unsigned FEWEST_ROUNDS = 8;
/* Handlers of signals wait for the loop's end, and what is told needs memory: a loop that is meant to be left by a handler, or that ends by a fault
 * soon, may have been given any number. */
constexpr unsigned MOST_ROUNDS = 1 << 24;

/* Functions that do neither; LLVM knows most of them to write errno, which is the thread's own. */
bool isMath(const CallBase &Call, const TargetLibraryInfo &Library)
{
    LibFunc F;
    const Function *Callee = Call.getCalledFunction();
    if (!Callee || !Callee->isDeclaration() || Call.isNoBuiltin() || !Library.getLibFunc(*Callee, F) || !Library.has(F))
        return false;
    switch (F) {
    case LibFunc_sin: case LibFunc_sinf: case LibFunc_cos: case LibFunc_cosf: case LibFunc_tan: case LibFunc_tanf:
    case LibFunc_asin: case LibFunc_asinf: case LibFunc_acos: case LibFunc_acosf: case LibFunc_atan: case LibFunc_atanf:
    case LibFunc_atan2: case LibFunc_atan2f: case LibFunc_sinh: case LibFunc_cosh: case LibFunc_tanh:
    case LibFunc_exp: case LibFunc_expf: case LibFunc_exp2: case LibFunc_exp2f: case LibFunc_log: case LibFunc_logf:
    case LibFunc_log2: case LibFunc_log2f: case LibFunc_log10: case LibFunc_log10f: case LibFunc_pow: case LibFunc_powf:
    case LibFunc_sqrt: case LibFunc_sqrtf: case LibFunc_cbrt: case LibFunc_fmod: case LibFunc_fmodf:
    case LibFunc_floor: case LibFunc_ceil: case LibFunc_fabs: case LibFunc_fmax: case LibFunc_fmin:
        return true;
    default:
        return false;
    }
}

/* Has it no access, by what is in it?  What its attributes say may be no more than that others cannot see one: a function that prepares something
 * in the first of its calls is declared const, too. */
bool touchesNothing(const Function &F)
{
    if (!F.hasExactDefinition())
        return false;
    for (const BasicBlock &Block : F)
        for (const Instruction &I : Block)
            if (I.mayReadOrWriteMemory() || I.mayThrow() || (isa<CallBase>(I) && !isa<IntrinsicInst>(I)))
                return false;
    return true;
}

/* May the thread, while it runs this, end its segment or leave the loop? */
bool mayInterrupt(const Instruction &I, const TargetLibraryInfo &Library)
{
    if (I.isAtomic() || I.isVolatile())
        return true;
    const auto *Call = dyn_cast<CallBase>(&I);
    if (!Call)
        return I.mayThrow();
    if (const auto *Intrinsic = dyn_cast<IntrinsicInst>(Call))
        if (Intrinsic->isAssumeLikeIntrinsic())
            return false;
    if (Call->isInlineAsm())
        return true;
    if (isMath(*Call, Library))
        return false;
    const Function *Callee = Call->getCalledFunction();
    return !Callee || !Call->doesNotAccessMemory() || !Call->doesNotThrow() || !Call->willReturn() ||
           !(Callee->isIntrinsic() || touchesNothing(*Callee));
}

/* A number that is known only as what a division gives can be computed in front of the loop, too: from the instruction that divides, if it comes
 * before, or with no divisor 0, which the program would not have got past. */
struct WithoutFaults : SCEVRewriteVisitor<WithoutFaults> {
    const DenseMap<const SCEV *, Instruction *> &Divisions;
    const DominatorTree &Dominators;
    const Instruction *Front;

    WithoutFaults(ScalarEvolution &SE, const DenseMap<const SCEV *, Instruction *> &Divisions, const DominatorTree &Dominators,
                  const Instruction *Front)
        : SCEVRewriteVisitor(SE), Divisions(Divisions), Dominators(Dominators), Front(Front)
    {
    }
    const SCEV *visitUDivExpr(const SCEVUDivExpr *E)
    {
        auto Found = Divisions.find(E);
        if (Found != Divisions.end() && Dominators.dominates(Found->second, Front))
            return SE.getUnknown(Found->second);
        const SCEV *Divisor = visit(E->getRHS());
        if (!SE.isKnownNonZero(Divisor))
            Divisor = SE.getUMaxExpr(Divisor, SE.getOne(Divisor->getType()));
        return SE.getUDivExpr(visit(E->getLHS()), Divisor);
    }
};

/* Accesses of one line of the source that are a row together. */
struct Row {
    SmallVector<Instruction *, 4> Accesses;
    const SCEV *Start, *Step; /* of the first; Step 0: always the same place */
    uint64_t Size, More;      /* rounds more than the loop's */
    bool Write;
};

class Rows {
    Function &F;
    LoopInfo &Loops;
    ScalarEvolution &SE;
    DominatorTree &Dominators;
    const TargetLibraryInfo &Library;
    const DataLayout &Layout;
    DenseMap<const SCEV *, Instruction *> Divisions;
    FunctionCallee Begin, Tell, End;
    bool Changed = false;

    /* The address, if ThreadSanitizer's pass would instrument the access, and nothing but its common form. */
    Value *addressOf(Instruction &I, uint64_t &Size, bool &Write)
    {
        Value *P;
        Type *T;
        if (auto *Load = dyn_cast<LoadInst>(&I))
            P = Load->getPointerOperand(), T = Load->getType(), Write = false;
        else if (auto *Store = dyn_cast<StoreInst>(&I))
            P = Store->getPointerOperand(), T = Store->getValueOperand()->getType(), Write = true;
        else
            return nullptr;
        TypeSize Bits = Layout.getTypeStoreSizeInBits(T);
        if (Bits.isScalable() || P->getType()->getPointerAddressSpace() != 0 || P->isSwiftError() || I.hasMetadata(LLVMContext::MD_nosanitize))
            return nullptr;
        Size = Bits.getFixedValue() / 8;
        if (Size != 1 && Size != 2 && Size != 4 && Size != 8 && Size != 16)
            return nullptr;
        if (MDNode *Tag = I.getMetadata(LLVMContext::MD_tbaa))
            if (Tag->isTBAAVtableAccess())
                return nullptr;
        /* It looks whether what is on the stack, or constant, can be another thread's; and leaves counters of coverage alone. */
        const Value *Object = getUnderlyingObject(P);
        if (isa<AllocaInst>(Object))
            return nullptr;
        if (const auto *Global = dyn_cast<GlobalVariable>(Object))
            if (Global->isConstant() || Global->hasSection() || Global->getName().starts_with("__llvm"))
                return nullptr;
        return P;
    }

    /* Adds an access to a row of the same kind whose places it goes on with, or repeats. */
    bool join(Row &R, Instruction &I, const SCEV *Start, const SCEV *Step, uint64_t Size, bool Write)
    {
        if (R.Step != Step || R.Size != Size || R.Write != Write || R.Start->getType() != Start->getType())
            return false;
        const DILocation *Here = I.getDebugLoc(), *There = R.Accesses[0]->getDebugLoc();
        if (!Here || !There || Here->getLine() != There->getLine() || Here->getScope() != There->getScope() ||
            Here->getInlinedAt() != There->getInlinedAt())
            return false;
        const auto *Distance = dyn_cast<SCEVConstant>(SE.getMinusSCEV(Start, R.Start));
        const auto *Each = dyn_cast<SCEVConstant>(Step);
        if (!Distance || !Each)
            return false;
        int64_t D = Distance->getAPInt().getSExtValue(), S = Each->getAPInt().getSExtValue();
        if (S == 0 ? D != 0 : D % S != 0)
            return false;
        int64_t Rounds = S == 0 ? 0 : D / S;
        constexpr int64_t Apart = FEWEST_ROUNDS; /* further apart there could be places between the two that nobody touches */
        if (Rounds < -Apart || Rounds > (int64_t)R.More + Apart)
            return false;
        if (Rounds < 0)
            R.Start = Start, R.More += -Rounds;
        else if (Rounds > (int64_t)R.More)
            R.More = Rounds;
        R.Accesses.push_back(&I);
        return true;
    }

    void find(Loop &L, BasicBlock *Latch, WithoutFaults &Safe, SCEVExpander &Expander, Instruction *Front, SmallVectorImpl<Row> &Found)
    {
        for (BasicBlock *Block : L.blocks()) {
            if (!Dominators.dominates(Block, Latch))
                continue;
            for (Instruction &I : *Block) {
                uint64_t Size;
                bool Write;
                Value *P = addressOf(I, Size, Write);
                if (!P || !SE.isSCEVable(P->getType()))
                    continue;
                const SCEV *Address = SE.getSCEV(P), *Start = Address, *Step = SE.getZero(Type::getInt64Ty(F.getContext()));
                if (!SE.isLoopInvariant(Address, &L)) {
                    const auto *Line = dyn_cast<SCEVAddRecExpr>(Address);
                    if (!Line || Line->getLoop() != &L || !Line->isAffine())
                        continue;
                    Start = Line->getStart();
                    Step = Line->getStepRecurrence(SE);
                }
                Start = Safe.visit(Start);
                Step = Safe.visit(Step);
                if (!Expander.isSafeToExpandAt(Start, Front) || !Expander.isSafeToExpandAt(Step, Front))
                    continue;
                bool Joined = false;
                for (Row &R : Found)
                    if ((Joined = join(R, I, Start, Step, Size, Write)))
                        break;
                if (!Joined)
                    Found.push_back({{&I}, Start, Step, Size, 0, Write});
            }
        }
    }

    void visit(Loop &L)
    {
        BasicBlock *Latch = L.getLoopLatch();
        if (!L.isInnermost() || !L.getLoopPreheader() || !Latch || L.getExitingBlock() != Latch || !isa<BranchInst>(Latch->getTerminator()) ||
            !L.hasDedicatedExits() || !L.getExitBlock() || !L.isSafeToClone())
            return;
        unsigned Known = SE.getSmallConstantTripCount(&L);
        if (Known && (Known < FEWEST_ROUNDS || Known > MOST_ROUNDS))
            return;
        for (BasicBlock *Block : L.blocks())
            for (Instruction &I : *Block)
                if (mayInterrupt(I, Library))
                    return;
        const SCEV *Taken = SE.getBackedgeTakenCount(&L);
        if (isa<SCEVCouldNotCompute>(Taken))
            return;
        /* A block of its own, in which all is known that the loop begins with. */
        Instruction *Front = SplitEdge(L.getLoopPreheader(), L.getHeader(), &Dominators, &Loops)->getTerminator();
        Changed = true;
        IRBuilder<> B(Front);
        Type *Int64 = B.getInt64Ty(), *Int32 = B.getInt32Ty();
#if LLVM_VERSION_MAJOR >= 22
        SCEVExpander Expander(SE, "goldilocks");
#else
        SCEVExpander Expander(SE, Layout, "goldilocks");
#endif
        WithoutFaults Safe(SE, Divisions, Dominators, Front);
        const SCEV *Rounds = SE.getAddExpr(SE.getTruncateOrZeroExtend(Safe.visit(Taken), Int64), SE.getOne(Int64));
        if (SE.getTypeSizeInBits(Taken->getType()) > 64 || !Expander.isSafeToExpandAt(Rounds, Front))
            return;
        SmallVector<Row, 8> Found;
        find(L, Latch, Safe, Expander, Front, Found);
        if (Found.empty())
            return;
        Value *Count = Expander.expandCodeFor(Rounds, Int64, Front);
        B.SetInsertPoint(Front);
        Value *Many = B.CreateICmpULE(B.CreateSub(Count, ConstantInt::get(Int64, FEWEST_ROUNDS)),
                                      ConstantInt::get(Int64, MOST_ROUNDS - FEWEST_ROUNDS)); /* neither few nor too many */
        Front = copy(L, Many);
        MDNode *Told = MDNode::get(F.getContext(), {});
        for (Row &R : Found) {
            Value *Start = Expander.expandCodeFor(R.Start, R.Start->getType(), Front);
            Value *Step = Expander.expandCodeFor(SE.getTruncateOrSignExtend(R.Step, Int64), Int64, Front);
            B.SetInsertPoint(Front);
            B.SetCurrentDebugLocation(R.Accesses[0]->getDebugLoc());
            Value *N = R.More ? B.CreateAdd(Count, ConstantInt::get(Int64, R.More)) : Count;
            B.CreateCall(Tell, {Start, N, Step, ConstantInt::get(Int32, R.Size << 1 | R.Write)});
            for (Instruction *I : R.Accesses)
                I->setMetadata(LLVMContext::MD_nosanitize, Told);
        }
        BasicBlock *Exit = L.getExitBlock();
        B.SetInsertPoint(Exit, Exit->getFirstInsertionPt());
        B.SetCurrentDebugLocation(Latch->getTerminator()->getDebugLoc());
        B.CreateCall(End, {});
        SE.forgetAllLoops(); /* what it thinks of values that come from both loops now */
    }

    /* A copy of the loop, which runs unless there are `Many` rounds and the runtime wants rows.  Returns the end of the block before the original. */
    Instruction *copy(Loop &L, Value *Many)
    {
        formLCSSA(L, Dominators, &Loops, &SE);
        BasicBlock *Choice = L.getLoopPreheader(), *Exit = L.getExitBlock(), *Latch = L.getLoopLatch(),
                   *Ask = SplitBlock(Choice, Choice->getTerminator(), &Dominators, &Loops),
                   *Before = SplitBlock(Ask, Ask->getTerminator(), &Dominators, &Loops);
        ValueToValueMapTy Copies;
        SmallVector<BasicBlock *, 8> Blocks;
        Loop *Copy = cloneLoopWithPreheader(Before, Choice, &L, Copies, ".each", &Loops, &Dominators, Blocks);
        remapInstructionsInBlocks(Blocks, Copies);
        for (PHINode &Phi : Exit->phis()) {
            Value *From = Phi.getIncomingValueForBlock(Latch), *Twin = Copies.lookup(From);
            Phi.addIncoming(Twin ? Twin : From, cast<BasicBlock>(Copies[Latch]));
        }
        IRBuilder<> B(Choice->getTerminator());
        B.SetCurrentDebugLocation(Latch->getTerminator()->getDebugLoc());
        B.CreateCondBr(Many, Ask, Copy->getLoopPreheader());
        Choice->getTerminator()->eraseFromParent();
        B.SetInsertPoint(Ask->getTerminator());
        Value *Wanted = B.CreateICmpNE(B.CreateCall(Begin, {}), B.getInt32(0));
        B.CreateCondBr(Wanted, Before, Copy->getLoopPreheader());
        Ask->getTerminator()->eraseFromParent();
        Dominators.changeImmediateDominator(Exit, Choice);
        formDedicatedExitBlocks(&L, &Dominators, &Loops, nullptr, true);
        formDedicatedExitBlocks(Copy, &Dominators, &Loops, nullptr, true);
        return Before->getTerminator();
    }

public:
    Rows(Function &F, FunctionAnalysisManager &Analyses)
        : F(F), Loops(Analyses.getResult<LoopAnalysis>(F)), SE(Analyses.getResult<ScalarEvolutionAnalysis>(F)),
          Dominators(Analyses.getResult<DominatorTreeAnalysis>(F)), Library(Analyses.getResult<TargetLibraryAnalysis>(F)),
          Layout(F.getParent()->getDataLayout())
    {
    }
    bool run()
    {
        if (Loops.empty())
            return false;
        LLVMContext &Context = F.getContext();
        Type *Void = Type::getVoidTy(Context), *Int64 = Type::getInt64Ty(Context), *Int32 = Type::getInt32Ty(Context);
        AttributeList NoUnwind = AttributeList().addFnAttribute(Context, Attribute::NoUnwind);
        Begin = F.getParent()->getOrInsertFunction("goldilocks_rt_rows_1", NoUnwind, Int32);
        Tell = F.getParent()->getOrInsertFunction("goldilocks_rt_row_1", NoUnwind, Void, PointerType::getUnqual(Context), Int64, Int64, Int32);
        End = F.getParent()->getOrInsertFunction("goldilocks_rt_rows_end_1", NoUnwind, Void);
        for (BasicBlock &Block : F)
            for (Instruction &I : Block)
                if (I.getOpcode() == Instruction::UDiv || I.getOpcode() == Instruction::LShr)
                    Divisions.try_emplace(SE.getSCEV(&I), &I);
        for (Loop *L : Loops.getLoopsInPreorder())
            visit(*L);
        return Changed;
    }
};

struct RowsPass : PassInfoMixin<RowsPass> {
    PreservedAnalyses run(Function &F, FunctionAnalysisManager &Analyses)
    {
        if (!F.hasFnAttribute(Attribute::SanitizeThread) || F.hasFnAttribute(Attribute::DisableSanitizerInstrumentation) ||
            F.hasFnAttribute(Attribute::Naked) || F.hasFnAttribute(Attribute::PresplitCoroutine))
            return PreservedAnalyses::all();
        return Rows(F, Analyses).run() ? PreservedAnalyses::none() : PreservedAnalyses::all();
    }
};

void addTo(ModulePassManager &Passes)
{
    FunctionPassManager Each;
    Each.addPass(LoopSimplifyPass());
    Each.addPass(RowsPass());
    Passes.addPass(createModuleToFunctionPassAdaptor(std::move(Each)));
}

} // namespace

extern "C" __attribute__((visibility("default"))) PassPluginLibraryInfo llvmGetPassPluginInfo()
{
    return {LLVM_PLUGIN_API_VERSION, "goldilocks-rows", "1", [](PassBuilder &Builder) {
                Builder.registerOptimizerLastEPCallback([](ModulePassManager &Passes, OptimizationLevel Level
#if LLVM_VERSION_MAJOR >= 20
                                                           , ThinOrFullLTOPhase
#endif
                                                        ) {
                    if (Level != OptimizationLevel::O0)
                        addTo(Passes);
                });
            }};
}
